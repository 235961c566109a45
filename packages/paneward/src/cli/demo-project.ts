import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join } from "node:path";
import { promisify } from "node:util";
import { PanewardError } from "@paneward/sdk";

/** A small git repository whose configuration names the demo's agent. */
export async function makeDemoProject(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), folderPrefix)));
  try {
    await fill(root);
  } catch (error) {
    await removeDemoProject(root);
    throw error;
  }
  return root;
}

async function fill(root: string): Promise<void> {
  await mkdir(join(root, ".paneward"));
  await writeFile(join(root, ".paneward", "config.toml"), config());
  await writeFile(join(root, ".gitignore"), "/.paneward/\n");
  await writeFile(join(root, "README.md"), "# A project that greets the world\n");
  await git(root, "init", "--quiet", "--initial-branch=main");
  await git(root, "add", ".");
  await git(root, ...author, "commit", "--quiet", "--message", "A project that greets the world");
}

/** Whether this repository was made by a demo; only those are cleaned up. */
export function isDemoProject(root: string): boolean {
  return basename(root).startsWith(folderPrefix) && basename(dirname(root)) === basename(tmpdir());
}

export async function removeDemoProject(root: string): Promise<void> {
  if (isDemoProject(root)) await rm(root, { recursive: true, force: true });
}

export const demoAgent = "demo";

const folderPrefix = "paneward-demo-";
const author = ["-c", "user.name=Paneward", "-c", "user.email=demo@localhost", "-c", "commit.gpgsign=false"] as const;

function config(): string {
  const program = join(import.meta.dirname, `demo-agent${extname(import.meta.filename)}`);
  const argv = [process.execPath, "--disable-warning=ExperimentalWarning", program].map((word) => JSON.stringify(word));
  return `agent = "${demoAgent}"\n[agents.${demoAgent}]\ncmd = [${argv.join(", ")}]\n`;
}

async function git(root: string, ...args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)("git", ["-C", root, ...args]);
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    const why = isMissing ? "it is not installed or not on PATH: install git 2.32 or newer" : (cause as Error).message;
    throw new PanewardError("unavailable", `the demo needs git: ${why.trim()}`, {
      hint: "`paneward doctor` shows what is missing",
      cause,
    });
  }
}
