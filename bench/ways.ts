import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { promisify } from "node:util";
import { keeperSession } from "@paneward/tmux";

const execute = promisify(execFile);

/** The baseline of the driver: one tmux process for every command. */
export async function spawned(socketPath: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await execute("tmux", ["-u", "-f", "/dev/null", "-S", socketPath, ...args], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

/** A minimal control-mode client: writes lines, counts ends. The driver's overhead shows against this. */
export class BareControl {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting: ((lines: string[]) => void)[] = [];
  #lines: string[] = [];

  private constructor(child: ChildProcessByStdio<Writable, Readable, null>) {
    this.#child = child;
    createInterface({ input: child.stdout }).on("line", (line) => this.#receive(line));
  }

  /** Resolves when the client is attached; tmux 3.3a crashes if sessions open or close before that. */
  static async open(socketPath: string): Promise<BareControl> {
    const attach = ["-C", "attach-session", "-t", `=${keeperSession}`, "-f", "no-output,ignore-size"];
    const child = spawn("tmux", ["-u", "-f", "/dev/null", "-S", socketPath, ...attach], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    const bare = new BareControl(child);
    await once(child.stdout, "data");
    await bare.ask("display-message -p attached");
    return bare;
  }

  /** Sends lines in one write; resolves when each command was answered, with all output. */
  async ask(...commands: readonly string[]): Promise<string[]> {
    const answers = commands.map(() => new Promise<string[]>((resolve) => this.#waiting.push(resolve)));
    this.#child.stdin.write(`${commands.join("\n")}\n`);
    return (await Promise.all(answers)).flat();
  }

  close(): void {
    this.#child.stdin.end();
  }

  // Flag 1 marks answers to this client; hooks that run on its behalf have 0.
  #receive(line: string): void {
    if (line.startsWith("%begin ")) this.#lines = [];
    else if (/^%(end|error) \d+ \d+ 1$/.test(line)) this.#waiting.shift()?.(this.#lines);
    else if (!line.startsWith("%end ")) this.#lines.push(line);
  }
}
