import type { AgentRecordFile } from "../record.ts";

/** The record of a conversation; its name has the date of its beginning and its id. */
const rollout: AgentRecordFile = {
  file: "{CODEX_HOME:-~/.codex}/sessions/*/*/*/rollout-*-{id}.jsonl",
  head: { id: "payload.id", folder: "payload.cwd", began: "payload.timestamp" },
  rows: {
    at: "timestamp",
    prompt: [
      {
        when: { type: "event_msg", "payload.type": "item_completed", "payload.item.type": "UserMessage" },
        text: "payload.item.content.*.text",
      },
    ],
  },
};

/** What was submitted in any of its input lines. A prompt that it queues while it works is only here. */
const history: AgentRecordFile = {
  file: "{CODEX_HOME:-~/.codex}/history.jsonl",
  rows: { at: "ts", of: "session_id", prompt: [{ when: {}, text: "text" }] },
};

export const codexRecords = [rollout, history];
