import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Dialog, DialogAnswer } from "./dialog.ts";

interface Waiting {
  readonly path: "permission" | "question";
  readonly id: string;
  readonly request: object;
  readonly labels: readonly string[];
  readonly done: (answer: DialogAnswer) => void;
}

/**
 * opencode's HTTP server as far as Paneward uses it: `/event`, open requests, replies that count once, prompts, abort. While
 * the file `late` exists, a reply or prompt is read but not applied; while `hold` exists, it is applied but not answered.
 */
export class ScriptedServer {
  onAbort = () => {};
  /** It was given a prompt over HTTP. */
  onPrompt = (_text: string) => {};
  readonly #messages: { readonly info: Readonly<Record<string, unknown>>; readonly parts: readonly object[] }[] = [];
  readonly #session: Readonly<Record<"id" | "directory" | "title", string>> & { readonly time: object };
  readonly #record: string;
  readonly #note: (entry: Readonly<Record<string, unknown>>) => void;
  readonly #streams = new Set<ServerResponse>();
  readonly #waiting: Waiting[] = [];
  #status: "unborn" | "busy" | "idle" = "unborn";
  #count = 0;

  constructor(sessionId: string, record: string, note: (entry: Readonly<Record<string, unknown>>) => void) {
    const time = { created: Date.now() };
    this.#session = { id: sessionId, directory: process.cwd(), title: "Scripted", time };
    this.#record = record;
    this.#note = note;
  }

  listen(port: number): Promise<void> {
    setInterval(() => this.#emit("server.heartbeat", {}), 10_000).unref();
    return new Promise((resolve) => {
      createServer((request, response) => void this.#answer(request, response)).listen(port, "127.0.0.1", resolve);
    });
  }

  /** Sets the agent's status; a dialog that is no longer open was answered by keys. */
  status(status: "idle" | "busy" | "waiting"): void {
    if (status === "waiting") return;
    for (const waiting of this.#waiting.splice(0)) this.#tellReplied(waiting);
    const sessionID = this.#session.id;
    if (this.#status === "unborn" && status === "busy") this.#emit("session.created", { info: this.#session });
    if (this.#status === "unborn" && status === "idle") return;
    this.#status = status;
    this.#emit("session.status", { status: { type: status } });
    if (status === "idle") this.#emit("session.idle", { sessionID });
  }

  /** It was given a prompt. */
  given(text: string): void {
    this.#count += 1;
    const id = `msg_${this.#count}`;
    const info = { id, role: "user", time: { created: Date.now() }, agent: "build", model: scripted };
    const part = { type: "text", text, messageID: id };
    this.#messages.push({ info, parts: [part] });
    this.#emit("message.updated", { info });
    this.#emit("message.part.updated", { part });
  }

  /** A dialog opened; resolves when it is answered over HTTP. */
  asked({ kind, title, detail, options, own }: Pick<Dialog, "kind" | "title" | "detail" | "options" | "own">) {
    const path = kind === "permission" ? "permission" : "question";
    this.#count += 1;
    const id = `${path === "permission" ? "per" : "que"}_${process.pid}_${this.#count}`;
    const labels = options.filter((_, index) => index !== own);
    const what =
      path === "permission"
        ? { permission: "bash", patterns: [detail], metadata: { command: detail } }
        : {
            questions: [{ question: title, options: labels.map((label) => ({ label })), multiple: kind === "many" }],
          };
    const { promise, resolve: done } = Promise.withResolvers<DialogAnswer>();
    const request = { id, sessionID: this.#session.id, ...what };
    this.#waiting.push({ path, id, request, labels, done });
    this.#emit(`${path}.asked`, request);
    return promise;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://opencode");
    if (!isKnown(request)) return send(response, 401, {});
    if (pathname === "/event") return this.#stream(response);
    const [, kind = "", id = "", verb] = pathname.split("/");
    if (request.method === "POST" && verb === "reply") return this.#replied(request, response, kind, id);
    if (request.method === "POST" && verb === "prompt_async") return this.#prompted(request, response, id);
    if (request.method === "POST" && verb === "abort") {
      this.#note({ kind: "aborted" });
      this.onAbort();
      return send(response, 200, true);
    }
    const waiting = (path: string) => this.#waiting.filter((one) => one.path === path).map((one) => one.request);
    const lists: Readonly<Record<string, unknown>> = {
      "/path": { directory: process.cwd() },
      "/session": this.#status === "unborn" ? [] : [this.#session],
      "/session/status": this.#status === "busy" ? { [this.#session.id]: { type: "busy" } } : {},
      [`/session/${this.#session.id}/message`]: this.#messages.slice(-20),
      "/config/providers": {
        providers: [{ id: "scripted", name: "Scripted", models: { scripted: { name: "Scripted" } } }],
      },
      "/permission": waiting("permission"),
      "/question": waiting("question"),
    };
    return pathname in lists ? send(response, 200, lists[pathname]) : send(response, 404, {});
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream" });
    this.#streams.add(response);
    response.on("close", () => this.#streams.delete(response));
    response.write(`data: ${JSON.stringify({ type: "server.connected", properties: {} })}\n\n`);
    this.#note({ kind: "followed" });
  }

  async #replied(request: IncomingMessage, response: ServerResponse, kind: string, id: string): Promise<void> {
    const text = await textOf(request);
    this.#note({ kind: "read" });
    await this.#while("late");
    const at = this.#waiting.findIndex((one) => one.path === kind && one.id === id);
    const [waiting] = at < 0 ? [] : this.#waiting.splice(at, 1);
    this.#note({ kind: "replied", text, status: waiting ? 200 : 404 });
    if (!waiting) return send(response, 404, { _tag: "NotFound" });
    this.#tellReplied(waiting);
    waiting.done(answerIn(JSON.parse(text), waiting.labels));
    await this.#while("hold");
    send(response, 200, true);
  }

  async #prompted(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    const body = JSON.parse(await textOf(request));
    this.#note({ kind: "posted", text: JSON.stringify(body) });
    await this.#while("late");
    if (id !== this.#session.id) return send(response, 404, { _tag: "NotFound" });
    this.onPrompt(body.parts[0].text);
    await this.#while("hold");
    response.writeHead(204).end();
  }

  async #while(file: "late" | "hold"): Promise<void> {
    while (existsSync(`${this.#record}.${file}`)) await delay(20);
  }

  #tellReplied({ path, id }: Waiting): void {
    this.#emit(`${path}.replied`, { requestID: id });
  }

  #emit(type: string, properties: object): void {
    const message = { type, properties: { sessionID: this.#session.id, ...properties } };
    for (const stream of this.#streams) stream.write(`data: ${JSON.stringify(message)}\n\n`);
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += piece;
  return text;
}

const scripted = { providerID: "scripted", modelID: "scripted" };

function isKnown({ headers }: IncomingMessage): boolean {
  const { OPENCODE_SERVER_PASSWORD: password, OPENCODE_SERVER_USERNAME: user = "opencode" } = process.env;
  return password === undefined || headers.authorization === `Basic ${btoa(`${user}:${password}`)}`;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

interface Reply {
  readonly reply?: string;
  readonly answers?: readonly (readonly string[])[];
}

function answerIn({ reply, answers }: Reply, labels: readonly string[]): DialogAnswer {
  if (reply !== undefined) {
    return reply === "reject" ? { kind: "escape" } : { kind: "option", index: reply === "always" ? 1 : 0 };
  }
  const words = answers?.[0] ?? [];
  const indices = words.map((word) => labels.indexOf(word));
  if (indices.includes(-1)) return { kind: "text", text: words.join(", ") };
  const [index = 0, ...more] = indices;
  return more.length > 0 ? { kind: "options", indices } : { kind: "option", index };
}
