import { setTimeout as delay } from "node:timers/promises";
import type { Message } from "../../../src/model/notify/message.ts";
import type { Tools } from "../../../src/notify/channel.ts";
import { sendRequest } from "../../../src/notify/request.ts";
import { runProgram } from "../../../src/notify/run-program.ts";
import { showOnTerminal } from "../../../src/notify/show-on-terminal.ts";

/** What channels work with, as the sender gives it to them, with less patience. */
export function realTools(more: Partial<Tools> = {}): Tools {
  return {
    ...{ run: runProgram, show: showOnTerminal, env: process.env, tmuxSocket: "", now: () => Date.now() },
    fetch: (url, request) => sendRequest(url, { ...request, limitMs: Math.min(request.limitMs ?? 500, 500) }),
    sleep: async (ms, signal) => {
      await delay(Math.min(ms, 20), undefined, signal ? { signal } : {}).catch(() => undefined);
    },
    ...more,
  };
}

export const asked: Message = {
  ...{ tag: "dGFnLW9mLW4x", kind: "question", urgency: "high", at: 1_795_000_000_000 },
  ...{ title: "fix-login asks for permission", body: "Run <this> & *that*?\nnpm test" },
  buttons: [
    { label: "Yes", tap: "capability-that-says-yes-000001" },
    { label: "No", tap: "capability-that-says-no-0000002" },
  ],
  link: "https://box.example.org/#/task/3",
  answerAt: "https://box.example.org/tap",
};

export const over: Message = { ...asked, buttons: [], over: "answered by uid:1000" };
