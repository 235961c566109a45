import { execFile, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { compileCache } from "../../packages/paneward/test/support/compile-cache.ts";
import { packedCli } from "../../packages/paneward/test/support/packed.ts";
import type { Example } from "./markdown.ts";
import { root } from "./repository.ts";

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Place {
  run(example: Pick<Example, "language" | "code">): Promise<Outcome>;
  close(): Promise<void>;
}

/**
 * Where the examples of one page are run, one after the other: `paneward` on the PATH, a daemon of their own that the
 * first command starts, and a small git repository as the folder they are typed in.
 */
export async function makePlace(installed?: readonly string[]): Promise<Place> {
  const cli = installed ?? [process.execPath, join(await packedCli(), "main.mjs")];
  const folder = mkdtempSync(join(tmpdir(), "paneward-docs-"));
  const port = await freePort();
  const env = environmentIn(folder);
  write(join(folder, "config", "paneward", "config.toml"), `[web]\nport = ${port}\n`);
  write(join(folder, ".gitconfig"), "[user]\nname = Reader\nemail = reader@localhost\n[init]\ndefaultBranch = main\n");
  const paneward = write(join(folder, "bin", "paneward"), `#!/bin/sh\nexec ${cli.map(quoted).join(" ")} "$@"\n`);
  chmodSync(paneward, 0o755);
  const project = join(folder, "project");
  write(join(project, "README.md"), "# A project\n");
  const git = (...args: readonly string[]) => promisify(execFile)("git", ["-C", project, ...args], { env });
  await git("init", "--quiet");
  await git("add", ".");
  await git("commit", "--quiet", "--message", "Begin");
  return {
    run({ language, code }) {
      // Pages name the default port; here it is one that is free.
      const script = code.replaceAll("7420", String(port));
      if (language === "sh") return outcomeOf("sh", ["-eu", "-c", script], { env, cwd: project });
      const argv = ["--conditions=@paneward/source", "--input-type=module-typescript", "-"];
      return outcomeOf(process.execPath, argv, { env, cwd: root, input: script });
    },
    async close() {
      await outcomeOf(paneward, ["daemon", "stop"], { env, cwd: folder });
      await outcomeOf("tmux", ["-S", env.PANEWARD_TMUX_SOCKET_PATH, "kill-server"], { env, cwd: folder });
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function environmentIn(folder: string) {
  return {
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    HOME: folder,
    SHELL: "/bin/sh",
    LANG: "C.UTF-8",
    NODE_COMPILE_CACHE: compileCache,
    XDG_CONFIG_HOME: join(folder, "config"),
    PANEWARD_HOME: join(folder, "state"),
    PANEWARD_SOCKET_PATH: join(folder, "run", "daemon.sock"),
    PANEWARD_TMUX_SOCKET_PATH: join(folder, "run", "tmux.sock"),
  };
}

interface Circumstances {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly input?: string;
}

function outcomeOf(program: string, args: readonly string[], { env, cwd, input }: Circumstances): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const child = spawn(program, args, { env, cwd, timeout: 60_000 });
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
    });
  }
  child.on("error", reject);
  child.on("close", (code) => resolve({ code, ...printed }));
  child.stdin.on("error", () => {});
  child.stdin.end(input ?? "");
  return promise;
}

function write(path: string, text: string): string {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
