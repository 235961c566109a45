import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { type PiHome, piProgram, repository } from "./pi-home.ts";

const source = join(repository, "packages/pi");

/** Builds and packs the package, outside the repository's own `dist`; returns the tarball. */
export function packInto(folder: string): string {
  const stage = join(folder, "stage");
  mkdirSync(stage, { recursive: true });
  for (const name of ["package.json", "README.md", "bin", "extensions", "skills", "docs"]) {
    cpSync(join(source, name), join(stage, name), { recursive: true });
  }
  execFileSync(process.execPath, [join(source, "build.ts"), join(stage, "dist")]);
  const npm = ["npm", "pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  const name = execFileSync("env", npm, { cwd: stage, encoding: "utf8" }).trim();
  return join(folder, name);
}

/** Installs the tarball as a user of pi would; returns the package's folder. */
export function installInto(home: PiHome, tarball: string): string {
  // Keep npm's own cache: the package has no dependencies and must not need a download.
  const env = { ...home.env, npm_config_audit: "false", npm_config_fund: "false" };
  execFileSync(piProgram, ["install", `npm:@paneward/pi@file:${tarball}`], { env, cwd: home.project, stdio: "pipe" });
  return join(dirname(home.agentFolder), "agent/npm/node_modules/@paneward/pi");
}

/** Unpacks the tarball, for a program that loads the entries itself; returns the package's folder. */
export function unpackInto(folder: string, tarball: string): string {
  execFileSync("tar", ["-xzf", tarball, "-C", folder]);
  return join(folder, "package");
}
