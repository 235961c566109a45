import type { ChildProcess } from "node:child_process";
import { join } from "node:path/posix";
import { type Delivered, TmuxError, type TmuxErrorType } from "../protocol/errors.ts";
import { type TerminalFacts, waitBy } from "../protocol/listening.ts";
import { endNow } from "./child.ts";
import type { FileSize, Files } from "./files.ts";
import { Greeting } from "./greeting.ts";
import { type Host, onHost } from "./host.ts";
import { RemoteWatch } from "./remote-watch.ts";
import { startChild } from "./start-child.ts";
import { startLimitMs } from "./transport.ts";

// A request is four lines: operation, path, two values. The answer is its length in bytes on a line, then the bytes. A
// file is opened before its length is announced, since it may be dropped in between.
const script = `while IFS= read -r op && IFS= read -r p && IFS= read -r a && IFS= read -r b; do
case $op in
mkdir) o=$(umask 077; mkdir -p -- "$p" 2>&1);;
list) o=$(cd -- "$p" 2>/dev/null && wc -c -- * 2>/dev/null);;
sizes) o=$(cd -- "$p" 2>/dev/null && wc -c -- $a 2>/dev/null);;
write) o=$( (umask 077; printf %s "$a" >"$p") 2>&1);;
append) o=$( (umask 077; printf '%s\\n' "$a" >>"$p") 2>&1);;
old) o=$(cd -- "$p" 2>/dev/null && find . ! -name . -prune -type d -mtime +"$a" 2>/dev/null);;
status) o=$(grep -E '^(State|Sig[A-Z][a-z]+):' "/proc/$p/status" 2>/dev/null);;
terminal) o=$( { read -r s <"/proc/$p/stat" && set -- \${s##*") "} && t=$5 g=$6 || exit
  for f in /proc/[0-9]*/stat; do
    read -r s <"$f" && set -- \${s##*") "} && [ "$5 $3" = "$t $g" ] || continue
    for d in "\${f%stat}"task/*/; do
      s= w=; read -r s <"\${d}stat"; read -r w <"\${d}wchan"; set -- \${s##*") "}; echo "wait $1 $w"
    done
  done
  stty -a <"$(readlink "/proc/$p/fd/0")"; } 2>/dev/null );;
remove) o=$(rm -rf -- "$p" 2>&1);;
read) if [ -f "$p" ]; then {
  n=$(tail -c +$((a+1)) <&3 | head -c "$b" | wc -c)
  printf '%s\\n' $n; tail -c +$((a+1)) <&4 | head -c $n; continue; } 3<"$p" 4<"$p"; fi 2>/dev/null; o=;;
esac
printf '%s\\n%s' \${#o} "$o"
done`;

interface Waiting {
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
  /** Whether the request may have taken effect if its answer never comes. */
  readonly delivered: Delivered;
}

const plainName = /^[\w.][\w.-]*$/;

/**
 * Files of a host behind a prefix, served by one long-lived shell there. Started on demand, and restarted after it
 * ended.
 */
export class RemoteFiles implements Files {
  readonly filteringSplit: string | undefined;
  readonly #host: Host;
  #shell: ChildProcess | undefined;
  #buffer = Buffer.alloc(0);
  #closed = false;
  #waiting: Waiting[] = [];
  readonly #watch = new RemoteWatch((parent, names) => this.#sizesIn(parent, names));

  constructor(host: Host, filteringSplit?: string) {
    this.#host = host;
    this.filteringSplit = filteringSplit;
  }

  async makeFolder(folder: string): Promise<void> {
    await this.#askOrThrow("mkdir", folder);
  }

  makeFolderAgain(folder: string): Promise<void> {
    return this.makeFolder(folder);
  }

  identify(): undefined {}

  async list(folder: string): Promise<readonly FileSize[]> {
    const text = (await this.#ask("list", folder)).toString();
    return text.split("\n").flatMap((line) => {
      const [, size, name] = /^\s*(\d+) (.+)$/.exec(line) ?? [];
      return size === undefined || name === undefined || name === "total" ? [] : [{ name, size: Number(size) }];
    });
  }

  async names(folder: string): Promise<readonly string[]> {
    return (await this.list(folder)).map(({ name }) => name);
  }

  // `-mtime +0` is what POSIX offers for "a day ago or longer".
  async oldFolders(folder: string, days: number): Promise<readonly string[]> {
    const text = (await this.#ask("old", folder, String(days - 1))).toString();
    return text.split("\n").flatMap((line) => (line.startsWith("./") ? [line.slice(2)] : []));
  }

  read(path: string, offset: number, length: number): Promise<Buffer> {
    return this.#ask("read", path, String(offset), String(length));
  }

  async tail(path: string, length: number): Promise<{ readonly size: number; readonly bytes: Buffer }> {
    const folder = join(path, "..");
    const size = (await this.list(folder)).find(({ name }) => join(folder, name) === path)?.size ?? 0;
    const bytes = await this.read(path, Math.max(0, size - length), Math.min(length, size));
    return { size, bytes };
  }

  async write(path: string, text: string): Promise<void> {
    await this.#askOrThrow("write", path, text);
  }

  async append(path: string, text: string): Promise<void> {
    await this.#askOrThrow("append", path, text.replace(/\n$/, ""));
  }

  async remove(path: string): Promise<void> {
    await this.#askOrThrow("remove", path);
  }

  watch(folder: string, onChange: () => void): () => void {
    return this.#watch.watch(folder, onChange);
  }

  // The names become patterns of the shell, so only plain ones are asked for together.
  async #sizesIn(parent: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const plain = names.filter((name) => plainName.test(name));
    const sizes = new Map<string, string>();
    if (plain.length > 0) {
      const text = (await this.#ask("sizes", parent, plain.map((name) => `${name}/*`).join(" "))).toString();
      for (const line of text.split("\n")) {
        const [, name] = /^\s*\d+ ([^/]+)\//.exec(line) ?? [];
        if (name !== undefined) sizes.set(name, `${sizes.get(name) ?? ""}${line.trim()}\n`);
      }
    }
    for (const name of names) {
      if (plainName.test(name)) continue;
      const files = await this.list(join(parent, name));
      sizes.set(name, files.map((file) => `${file.size} ${file.name}\n`).join(""));
    }
    return sizes;
  }

  async processStatus(pid: number): Promise<string> {
    return (await this.#ask("status", String(pid))).toString();
  }

  async terminal(pid: number): Promise<TerminalFacts> {
    const lines = (await this.#ask("terminal", String(pid))).toString().split("\n");
    const waits = lines.flatMap((line) => {
      const [, state, place] = /^wait (\S*) ?(.*)$/.exec(line) ?? [];
      return state === undefined ? [] : [waitBy(state, place ?? "")];
    });
    return { waits, modes: lines.filter((line) => !line.startsWith("wait ")).join("\n") };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watch.close();
    const shell = this.#shell;
    if (!shell || shell.exitCode !== null || shell.signalCode !== null) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => endNow(shell), 500);
      shell.once("close", () => {
        clearTimeout(timer);
        resolve();
      });
      shell.stdin?.end();
    });
  }

  async #askOrThrow(...request: readonly string[]): Promise<void> {
    const message = (await this.#ask(...request)).toString();
    if (message !== "") throw new TmuxError("subprocess_failed", message, { argv: request, stderr: message });
  }

  #ask(...request: readonly string[]): Promise<Buffer> {
    if (request.some((line) => line.includes("\n"))) {
      return Promise.reject(new TmuxError("subprocess_failed", "a journal path cannot contain a newline"));
    }
    if (this.#closed) {
      return Promise.reject(new TmuxError("server_lost", "the host was closed; open it again", { argv: request }));
    }
    const [op = "", path = "", a = "", b = ""] = request;
    const shell = this.#running();
    return new Promise((resolve, reject) => {
      const limit = startLimitMs(this.#host);
      const late = () => this.#giveUp(shell, `no answer within ${limit} ms`, "timeout");
      const timer = setTimeout(late, limit).unref();
      const settled =
        <Value>(settle: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(timer);
          settle(value);
        };
      const delivered =
        op === "read" || op === "list" || op === "sizes" || op === "old" || op === "status" || op === "terminal"
          ? "no"
          : "maybe";
      this.#waiting.push({ resolve: settled(resolve), reject: settled(reject), delivered });
      shell.stdin?.write(`${op}\n${path}\n${a}\n${b}\n`);
    });
  }

  #running(): ChildProcess {
    if (this.#shell) return this.#shell;
    const { file, args, env } = onHost(this.#host, ["sh", "-c", script]);
    const shell = startChild(file, args, { env, errors: "ignore" });
    this.#shell = shell;
    shell.stdin.on("error", () => {});
    const greeting = new Greeting();
    shell.stdout.on("data", (chunk: Buffer) => this.#receive(shell, greeting.after(chunk)));
    shell.on("error", (error) => this.#lost(shell, error.message));
    shell.on("close", () => this.#lost(shell, "the reader on the host ended"));
    return shell;
  }

  #giveUp(shell: ChildProcess, reason: string, type?: TmuxErrorType): void {
    this.#lost(shell, reason, type);
    endNow(shell);
  }

  #receive(shell: ChildProcess, chunk: Buffer): void {
    if (this.#shell !== shell) return;
    this.#buffer = Buffer.concat([this.#buffer, chunk]);
    for (;;) {
      const line = this.#buffer.indexOf(10);
      if (line < 0) return;
      const length = this.#buffer.subarray(0, line).toString();
      if (!/^\d+$/.test(length)) {
        this.#giveUp(shell, `${JSON.stringify(length.slice(0, 80))} is not an answer`);
        return;
      }
      const end = line + 1 + Number(length);
      if (this.#buffer.length < end) return;
      const bytes = this.#buffer.subarray(line + 1, end);
      this.#buffer = this.#buffer.subarray(end);
      this.#waiting.shift()?.resolve(bytes);
    }
  }

  #lost(shell: ChildProcess, reason: string, type: TmuxErrorType = "unknown"): void {
    if (this.#shell !== shell) return;
    this.#shell = undefined;
    this.#buffer = Buffer.alloc(0);
    const waiting = this.#waiting.splice(0);
    for (const { reject, delivered } of waiting) {
      reject(new TmuxError(type, `the host did not answer: ${reason}`, { delivered }));
    }
  }
}
