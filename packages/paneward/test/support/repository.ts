import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestDaemon } from "./daemon.ts";

/** A git repository for one test. */
export interface TestRepository {
  readonly root: string;
  git(...args: readonly string[]): string;
  write(path: string, text: string): void;
  commit(message: string): void;
  /** Trusts what its configuration and its setup script run now. */
  trust(): Promise<void>;
}

export function makeRepository(
  daemon: TestDaemon,
  name = "repo",
  options: { readonly commits?: boolean } = {},
): TestRepository {
  const root = join(daemon.folder, name);
  mkdirSync(root, { recursive: true });
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", root, ...args], { env: daemon.env, encoding: "utf8", stdio: "pipe" });
  const repository: TestRepository = {
    root,
    git,
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    commit(message) {
      git("add", "-A");
      git("commit", "-q", "-m", message);
    },
    async trust() {
      const { digest } = await daemon.client.trust_look({ root });
      await daemon.client.trust({ root, digest });
    },
  };
  git("init", "-q", "-b", "main");
  if (options.commits !== false) {
    repository.write("readme.md", "hello\n");
    repository.commit("first");
  }
  return repository;
}

/** Configuration for an agent that is a shell script; `$1` is the prompt. */
export function scriptedAgent(script: string): string {
  return `agent = "scripted"\n[agents.scripted]\ncmd = ${JSON.stringify(["sh", "-c", script, "agent"])}\n`;
}
