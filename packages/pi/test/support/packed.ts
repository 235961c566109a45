import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { type PiHome, piProgram, repository } from "./pi-home.ts";

const source = join(repository, "packages/pi");

/** Builds and packs the package, away from the repository's own `dist`; the answer is the tarball. */
export function packInto(folder: string): string {
  const stage = join(folder, "stage");
  mkdirSync(stage, { recursive: true });
  for (const name of ["package.json", "README.md", "skills", "docs"]) {
    cpSync(join(source, name), join(stage, name), { recursive: true });
  }
  execFileSync(process.execPath, [join(source, "build.ts"), join(stage, "dist")]);
  const npm = ["npm", "pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  const name = execFileSync("env", npm, { cwd: stage, encoding: "utf8" }).trim();
  return join(folder, name);
}

/** Installs the tarball as a user of pi would; the answer is where the package lies. */
export function installInto(home: PiHome, tarball: string): string {
  // npm's own cache: a cold one must not be needed, the package has no dependencies.
  const env = { ...home.env, npm_config_audit: "false", npm_config_fund: "false" };
  execFileSync(piProgram, ["install", `npm:@paneward/pi@file:${tarball}`], { env, cwd: home.project, stdio: "pipe" });
  return join(dirname(home.agentFolder), "agent/npm/node_modules/@paneward/pi");
}

/** The tarball's files alone, for a program that loads the entries by itself; the answer is where the package lies. */
export function unpackInto(folder: string, tarball: string): string {
  execFileSync("tar", ["-xzf", tarball, "-C", folder]);
  return join(folder, "package");
}
