import { writeFileSync } from "node:fs";

/**
 * Runs command lines one after the other in this process, as on a terminal or not, and writes what each printed to a file.
 * Arguments: `terminal` or `pipe`, the command lines as JSON, the file.
 */
const [kind, commands = "[]", file = ""] = process.argv.slice(2);
const printed: Record<string, string> = {};
let now = "";
for (const stream of [process.stdout, process.stderr]) {
  Object.defineProperty(stream, "isTTY", { value: kind === "terminal" });
  stream.write = ((text: string, ...rest: readonly unknown[]) => {
    now += text;
    const done = rest.find((one) => typeof one === "function") as (() => void) | undefined;
    done?.();
    return true;
  }) as typeof stream.write;
}
// Loaded afterwards: the exits look at the streams once.
const { runCli } = await import("../../../src/cli/program.ts");
process.setMaxListeners(0);
process.stdout.setMaxListeners(0);
for (const argv of JSON.parse(commands) as readonly (readonly string[])[]) {
  now = "";
  await runCli(argv);
  printed[argv.join(" ")] = now;
}
writeFileSync(file, JSON.stringify(printed));
process.exit(0);
