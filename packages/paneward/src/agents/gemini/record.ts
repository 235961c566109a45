import type { AgentRecordFile } from "../record.ts";

/** The record of a conversation; its name has the date of its beginning and the first part of its id. */
export const geminiRecord: AgentRecordFile = {
  file: "{GEMINI_CLI_HOME:-~}/.gemini/tmp/*/chats/session-*-{id:8}.jsonl",
  head: { id: "sessionId", folderHash: "projectHash", began: "startTime" },
  rows: { at: "timestamp", prompt: [{ when: { type: "user" }, text: "content.*.text" }] },
};
