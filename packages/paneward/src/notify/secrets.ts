import { homedir } from "node:os";
import { readForeign } from "@paneward/sdk/node/files";
import type { NoticeJob } from "../runtime/ports.ts";
import { runProgram } from "./run-program.ts";

type Settings = NoticeJob["settings"];

/** The settings with every `KEY_file` and `KEY_command` read: they become `KEY`. Throws if one cannot be read. */
export async function withSecrets(settings: Settings): Promise<Settings> {
  const entries = await Promise.all(
    Object.entries(settings).map(async ([name, value]) => {
      const key = name.replace(/_(file|command)$/, "");
      if (key === name || name === "command") return [name, value] as const;
      return [key, name.endsWith("_file") ? await inFile(name, String(value)) : await printed(name, value)] as const;
    }),
  );
  return Object.fromEntries(entries);
}

async function inFile(name: string, path: string): Promise<string> {
  const whole = path.startsWith("~/") ? `${homedir()}${path.slice(1)}` : path;
  const bytes = await readForeign(whole, { maxBytes: 65_536, followLinks: true });
  const text = bytes?.toString("utf8").trim() ?? "";
  if (text === "") throw new Error(`${name}: ${path} ${bytes ? "is empty" : "is not there"}`);
  return text;
}

async function printed(name: string, argv: unknown): Promise<string> {
  const ran = await runProgram(Array.isArray(argv) ? argv.map(String) : [], { limitMs: 10_000 });
  if (ran.kind === "missing") throw new Error(`${name}: ${ran.reason}`);
  if (ran.kind === "silent") throw new Error(`${name}: it does not end`);
  const text = ran.stdout.trim();
  if (ran.code !== 0 || text === "")
    throw new Error(`${name}: it ended with code ${ran.code} and printed ${text === "" ? "nothing" : "something"}`);
  return text;
}

/** The words without the values of secrets: services put addresses and tokens into their errors. */
export function scrubbed(words: string, settings: Settings): string {
  const values = Object.entries(settings).filter(([name]) => name !== "server" && name !== "command");
  const secrets = values.flatMap(([, value]) => (typeof value === "string" && value.length >= 6 ? [value] : []));
  return secrets.reduce((sofar, secret) => sofar.replaceAll(secret, "…"), words);
}
