import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { PiHome } from "./pi-home.ts";
import { piProgram } from "./pi-home.ts";
import { until } from "./until.ts";

export type PiRecord = { readonly type: string } & Readonly<Record<string, unknown>>;

/** Real pi, driven by its JSON protocol. */
export class RpcPi {
  readonly records: PiRecord[] = [];
  readonly child: ChildProcess;
  #partial = "";
  #stderr = "";
  #asked = 0;

  constructor(home: PiHome, ...args: readonly string[]) {
    this.child = spawn(piProgram, ["--mode", "rpc", ...args], {
      cwd: home.project,
      env: home.env,
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.child.stdin?.on("error", () => {});
    this.child.stderr?.on("data", (chunk: Buffer) => {
      this.#stderr += chunk;
    });
    this.child.stdout?.on("data", (chunk: Buffer) => {
      const lines = (this.#partial + chunk).split("\n");
      this.#partial = lines.pop() ?? "";
      for (const line of lines) if (line !== "") this.records.push(JSON.parse(line));
    });
  }

  send(record: object): void {
    this.child.stdin?.write(`${JSON.stringify(record)}\n`);
  }

  /** Sends a request and waits for the response. */
  async ask(type: string, more: object = {}): Promise<PiRecord> {
    const id = `ask-${++this.#asked}`;
    this.send({ id, type, ...more });
    return this.until(`pi answers ${type}`, (record) => record.type === "response" && record.id === id);
  }

  /** Accepted at once, or after the current turn. */
  async prompt(message: string): Promise<void> {
    const answer = await this.ask("prompt", { message, streamingBehavior: "followUp" });
    if (answer.success !== true) throw new Error(`pi did not accept "${message}": ${JSON.stringify(answer)}`);
  }

  until(name: string, matches: (record: PiRecord) => boolean): Promise<PiRecord> {
    return until(
      () => `${name}; stderr: ${this.#stderr} ${JSON.stringify(this.records.slice(-5)).slice(0, 2_000)}`,
      () => this.records.find(matches),
    );
  }

  /** What extensions showed to the user: notices and status lines. */
  shown(method: "notify" | "setStatus"): readonly string[] {
    return this.records
      .filter((record) => record.type === "extension_ui_request" && record.method === method)
      .map(({ message, statusText }) => String(message ?? statusText ?? ""));
  }

  async end(signal?: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = once(this.child, "exit");
    if (signal) this.child.kill(signal);
    else this.child.stdin?.end();
    await gone;
  }
}
