// Checks the extensions of packages/pi against the types of real pi.
// Usage: typecheck-pi.ts [VERSION]. Without a version: the pi that tests drive. With one: its types, by `npm pack`.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..");
const installed = join(root, "node_modules/.agents/pi/node_modules");
const entries = ["tasks", "team"];

/** Does pi take our entries? And does the check notice what it does not take? */
async function check(version: string | undefined, folder: string): Promise<readonly string[]> {
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@earendil-works"), { recursive: true });
  for (const name of ["pi-coding-agent", "pi-ai", "pi-agent-core", "pi-tui"]) {
    const place = join(modules, "@earendil-works", name);
    // 1.5.0's pi-tui was never published whole: its types come from the installed pi.
    if (version === undefined || name === "pi-tui") symlinkSync(join(installed, "@earendil-works", name), place);
    else await unpack(`@earendil-works/${name}@${version}`, place);
  }
  symlinkSync(join(installed, "typebox"), join(modules, "typebox"));
  symlinkSync(join(root, "node_modules/@types"), join(modules, "@types"));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const fits = entries.map((name) => fitting(name)).join("\n");
  writeFileSync(
    join(folder, "check.mts"),
    `import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";\n${fits}\n`,
  );
  writeFileSync(join(folder, "wrong.mts"), wrong);
  const complaints = await compile(folder);
  const noticed = complaints.some((line) => line.startsWith("wrong.mts") && line.includes("later"));
  if (!noticed) return ["the check is blind: it takes an extension that pi does not take"];
  return complaints.filter((line) => !line.startsWith("wrong.mts"));
}

function fitting(name: string): string {
  const path = join(root, `packages/pi/src/${name}.ts`);
  return `import ${name} from ${JSON.stringify(path)};\nexport const ${name}Fits: (pi: ExtensionAPI) => void | Promise<void> = ${name};`;
}

const wrong = `import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
export const wrong = (pi: ExtensionAPI) => pi.sendMessage({ customType: "x", content: "", display: true }, { deliverAs: "later" });
`;

const settings = {
  extends: join(root, "tsconfig.base.json"),
  compilerOptions: {
    noEmit: true,
    rewriteRelativeImportExtensions: false,
    allowImportingTsExtensions: true,
    customConditions: ["@paneward/source"],
    lib: ["es2024", "esnext.disposable", "dom"],
  },
  files: ["check.mts", "wrong.mts"],
};

async function compile(folder: string): Promise<readonly string[]> {
  // It must fail: one of the two files is wrong on purpose.
  const said = await run(join(root, "node_modules/.bin/tsc"), ["-p", folder, "--checkers", "1"], { cwd: folder }).catch(
    failed,
  );
  return said.stdout.split("\n").filter((line) => line.includes("error TS"));
}

function failed(error: { readonly stdout?: string }): { readonly stdout: string } {
  if (error.stdout === undefined) throw error;
  return { stdout: error.stdout };
}

async function unpack(spec: string, place: string): Promise<void> {
  mkdirSync(place, { recursive: true });
  const { stdout } = await run("npm", ["pack", spec, "--silent", "--pack-destination", place]);
  await run("tar", ["-xzf", join(place, stdout.trim()), "-C", place, "--strip-components=1"]);
}

const folder = mkdtempSync(join(tmpdir(), "paneward-pi-types-"));
try {
  const complaints = await check(process.argv[2], folder);
  console.log(complaints.join("\n") || `the extensions fit pi ${process.argv[2] ?? "as tests drive it"}`);
  process.exitCode = complaints.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
