import type { AgentRecordFile } from "../record.ts";

/** Its transcript. A prompt that it queues while it works is there at once, and again when it takes it. */
export const claudeRecord: AgentRecordFile = {
  file: "{CLAUDE_CONFIG_DIR:-~/.claude}/projects/*/{id}.jsonl",
  rows: {
    at: "timestamp",
    prompt: [
      { when: { type: "user", isSidechain: false, isMeta: null }, text: "message.content" },
      { when: { type: "queue-operation", operation: "enqueue" }, text: "content" },
    ],
  },
};
