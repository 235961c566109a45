import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setTimeout as delay } from "node:timers/promises";
import type { Message } from "../../../src/model/notify/message.ts";
import type { Tools } from "../../../src/notify/channel.ts";
import { sendRequest } from "../../../src/notify/request.ts";
import { runProgram } from "../../../src/notify/run-program.ts";
import { showOnTerminal } from "../../../src/notify/show-on-terminal.ts";
import { afterwards, type Cleanup } from "../../support/folder.ts";

/** What channels work with, as the sender gives it to them. What waits for an answer ends with `giveUp`, as by its limit. */
export function realTools(more: Partial<Tools> = {}, giveUp?: AbortSignal): Tools {
  return {
    ...{ run: runProgram, show: showOnTerminal, env: process.env, tmuxSocket: "", now: () => Date.now() },
    fetch: (url, request) => sendRequest(url, giveUp ? { ...request, signal: giveUp } : request),
    sleep: async (ms, signal) => {
      await delay(Math.min(ms, 20), undefined, signal ? { signal } : {}).catch(() => undefined);
    },
    ...more,
  };
}

/** Gives up as soon as the head of an answer has arrived: what follows it does not come in time. */
export function untilTheHead(t: Cleanup): AbortSignal {
  const giveUp = new AbortController();
  const arrived = () => giveUp.abort();
  subscribe(headArrived, arrived);
  afterwards(t, () => void unsubscribe(headArrived, arrived));
  return giveUp.signal;
}

const headArrived = "http.client.response.finish";

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
