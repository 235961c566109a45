import { spawn } from "node:child_process";
import { once } from "node:events";
import { PanewardError } from "@paneward/sdk";
import { type GitPlace, gitEnvironment } from "./git.ts";
import { fixedOptions } from "./run-git.ts";

/** Streams each blob in turn from one git process, without loading large files into memory. */
export async function readBlobs(
  place: GitPlace,
  ids: readonly string[],
  use: (content: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  if (ids.length === 0) return;
  const child = spawn("git", [...fixedOptions, "cat-file", "--batch"], {
    cwd: place.folder,
    env: await gitEnvironment(place),
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = once(child, "close");
  // Without a process there are no pipes, or empty ones.
  if (child.pid === undefined) return void (await ended);
  child.stdin.on("error", () => {});
  child.stdin.end(ids.map((id) => `${id}\n`).join(""));
  const bytes = reader(child.stdout);
  try {
    for (const id of ids) {
      // <id> blob <size>
      const header = await bytes.line();
      const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(header) ?? [];
      if (size === undefined) throw unreadable(`the object ${id} is gone: ${header}`);
      await use(bytes.take(Number(size)));
      await bytes.line();
    }
  } finally {
    child.kill();
    // Unread output would keep the process from being closed.
    child.stdout.destroy();
    await ended;
  }
}

function unreadable(message: string): PanewardError {
  return new PanewardError("wrong_state", message, { hint: "`git fsck` in the repository shows what is missing" });
}

function reader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function more(): Promise<Buffer> {
    if (rest.length > 0) return rest;
    const { value, done } = await chunks.next();
    if (done) throw unreadable("git cannot read an object that was kept");
    return value;
  }

  async function line(): Promise<string> {
    let text = "";
    for (;;) {
      const bytes = await more();
      const end = bytes.indexOf(10);
      text += bytes.toString("latin1", 0, end === -1 ? bytes.length : end);
      rest = end === -1 ? Buffer.alloc(0) : bytes.subarray(end + 1);
      if (end !== -1) return text;
    }
  }

  async function* take(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      const bytes = await more();
      const taken = bytes.subarray(0, left);
      rest = bytes.subarray(taken.length);
      left -= taken.length;
      yield taken;
    }
  }

  return { line, take };
}
