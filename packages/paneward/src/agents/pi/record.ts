import type { AgentRecordFile } from "../record.ts";

/** The record of a conversation. pi writes it from the first answer on, not before. */
export const piRecord: AgentRecordFile = {
  file: "{PI_CODING_AGENT_DIR:-~/.pi/agent}/sessions/*/*_{id}.jsonl",
  head: { id: "id", folder: "cwd", began: "timestamp" },
  rows: {
    at: "timestamp",
    prompt: [{ when: { type: "message", "message.role": "user" }, text: "message.content.*.text" }],
  },
};
