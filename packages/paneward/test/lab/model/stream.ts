import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** A stream of server-sent events, as all model APIs use it. */
export class EventStream {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  }

  send(data: unknown, event?: string): void {
    this.#response.write(`${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);
  }

  /** Says something twice a second until the time is over or nobody listens. */
  async pace(seconds: number, say: (text: string) => void): Promise<void> {
    for (let tick = 0; tick < seconds * 2 && !this.#response.destroyed; tick += 1) {
      say(`tick ${tick} `);
      await delay(500);
    }
  }

  end(text = ""): void {
    this.#response.end(text);
  }
}

export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
