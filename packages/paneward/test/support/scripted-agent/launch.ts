import { randomUUID } from "node:crypto";
import { type AgentKind, agentKinds } from "./kinds.ts";

export interface Launched {
  readonly kind: AgentKind;
  readonly record: string;
  readonly prompt: string | undefined;
  readonly settings: string | undefined;
  readonly sessionId: string;
  /** The port for HTTP. */
  readonly port: number | undefined;
}

/** Parses `KIND RECORD` and then the arguments of the real program. */
export function launchOf([kind = "", record = "", ...words]: readonly string[]): Launched {
  const known = agentKinds.find((one) => one === kind);
  if (!known || record === "") throw new Error("usage: program.ts claude|codex|gemini|opencode|pi RECORD [WORD…]");
  const options = new Map<string, string>();
  const plain: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const [, prompt] = /^--prompt(?:-interactive)?=([\s\S]*)$/.exec(word) ?? [];
    if (prompt !== undefined) options.set("--prompt", prompt);
    if (word === "--") {
      plain.push(...words.slice(at + 1));
      break;
    }
    if (!withValue.has(word)) {
      if (!/^-/.test(word)) plain.push(word);
      continue;
    }
    at += 1;
    options.set(word, words[at] ?? "");
  }
  return {
    kind: known,
    record,
    prompt: options.get("--prompt") ?? plain.filter((word) => word !== "resume").at(-1),
    settings: options.get("--settings"),
    sessionId: options.get("--session-id") ?? options.get("--resume") ?? options.get("--session") ?? randomUUID(),
    port: options.has("--port") ? Number(options.get("--port")) : undefined,
  };
}

const withValue = new Set([
  ...["--settings", "--session-id", "--resume", "--session", "-c", "--config", "--port", "--hostname"],
  ...["--permission-mode", "--mcp-config", "--model", "-m", "--extension", "-e"],
]);
