import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { AgentKind } from "./kinds.ts";

/** Writes what a scripted agent is given where the real one writes it, and in its shape. */
export class ScriptedRecord {
  readonly #path: string | undefined;
  readonly #shape: Shape | undefined;
  readonly #id: string;
  readonly #began = new Date().toISOString();
  #isNew = true;

  constructor(kind: AgentKind, id: string) {
    this.#id = id;
    this.#shape = shapes[kind];
    this.#path = this.#shape && `${process.env.HOME}/${this.#shape.path(id, this.#began)}`;
  }

  given(text: string): void {
    if (this.#path === undefined || this.#shape === undefined) return;
    mkdirSync(dirname(this.#path), { recursive: true });
    const head = this.#isNew ? [this.#shape.head(this.#id, this.#began)] : [];
    this.#isNew = false;
    const rows = [...head, this.#shape.prompt(text, new Date().toISOString())];
    appendFileSync(this.#path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  }
}

interface Shape {
  readonly path: (id: string, began: string) => string;
  readonly head: (id: string, began: string) => object;
  readonly prompt: (text: string, timestamp: string) => object;
}

const named = (began: string) => began.replaceAll(":", "-").slice(0, 19);
const day = (began: string) => began.slice(0, 10).replaceAll("-", "/");

const shapes: Partial<Record<AgentKind, Shape>> = {
  claude: {
    path: (id) => `.claude/projects/${process.cwd().replaceAll(/[^a-zA-Z0-9]/g, "-")}/${id}.jsonl`,
    head: (sessionId) => ({ type: "mode", mode: "normal", sessionId }),
    prompt: (content, timestamp) => {
      return { type: "user", isSidechain: false, message: { role: "user", content }, timestamp };
    },
  },
  codex: {
    path: (id, began) => `.codex/sessions/${day(began)}/rollout-${named(began)}-${id}.jsonl`,
    head: (id, timestamp) => ({ timestamp, type: "session_meta", payload: { id, timestamp, cwd: process.cwd() } }),
    prompt: (text, timestamp) => {
      const item = { type: "UserMessage", content: [{ type: "text", text }] };
      return { timestamp, type: "event_msg", payload: { type: "item_completed", item } };
    },
  },
  gemini: {
    path: (id, began) => `.gemini/tmp/project/chats/session-${named(began).slice(0, 16)}-${id.slice(0, 8)}.jsonl`,
    head: (sessionId, startTime) => {
      const projectHash = createHash("sha256").update(process.cwd()).digest("hex");
      return { sessionId, projectHash, startTime, kind: "main" };
    },
    prompt: (text, timestamp) => ({ timestamp, type: "user", content: [{ text }] }),
  },
  pi: {
    path: (id, began) => `.pi/agent/sessions/--project--/${began.replaceAll(/[:.]/g, "-")}_${id}.jsonl`,
    head: (id, timestamp) => ({ type: "session", id, timestamp, cwd: process.cwd() }),
    prompt: (text, timestamp) => {
      return { type: "message", timestamp, message: { role: "user", content: [{ type: "text", text }] } };
    },
  },
};
