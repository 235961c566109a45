import type { CustomMessage, Handler, Pi, PiComponent, PiContext, PiKey, SendOptions } from "../../src/pi/api.ts";

/** pi as an extension sees it, where the real one is not needed: calls handlers and records messages. */
export class FakePi {
  readonly messages: { readonly message: CustomMessage; readonly options: SendOptions | undefined }[] = [];
  readonly notices: string[] = [];
  status: string | undefined;
  /** What stands above the editor. */
  widget: readonly string[] | undefined;
  title: string | undefined;
  idle = true;
  hasUI = true;
  mode: PiContext["mode"] = "rpc";
  /** What the person answers, and what they were asked. */
  confirms = true;
  readonly asked: string[] = [];
  /** What an extension shows over the conversation. */
  panel: PiComponent | undefined;
  readonly #handlers = new Map<string, Handler<never, unknown>[]>();
  #command: ((args: string, ctx: PiContext) => Promise<void>) | undefined;
  readonly #cwd: string;
  readonly #sessionId: string;

  constructor(cwd: string, sessionId: string, extension: (pi: Pi) => void) {
    this.#cwd = cwd;
    this.#sessionId = sessionId;
    extension({
      on: (event: string, handler: Handler<never, unknown>) => {
        this.#handlers.set(event, [...(this.#handlers.get(event) ?? []), handler]);
      },
      registerTool: ({ name }: { readonly name: string }) => {
        throw new Error(`unexpected tool ${name} was registered`);
      },
      registerCommand: (_name, { handler }) => {
        this.#command = handler;
      },
      sendMessage: (message, options) => {
        this.messages.push({ message, options });
        // A message that starts a turn is shown to the model; then the agent is idle again.
        if (options?.triggerTurn) queueMicrotask(() => this.emit("message_start", { message }));
      },
    } as Pi);
  }

  async emit(event: string, data: object): Promise<void> {
    for (const handler of this.#handlers.get(event) ?? []) await handler(data as never, this.context());
  }

  async run(args: string): Promise<void> {
    await this.#command?.(args, this.context());
  }

  context(): PiContext {
    return {
      ui: {
        notify: (message) => this.notices.push(message),
        setWidget: (_key, lines) => {
          this.widget = lines;
        },
        setStatus: (_key, text) => {
          this.status = text;
        },
        confirm: async (title, message) => {
          this.asked.push(`${title}\n${message}`);
          return this.confirms;
        },
        custom: (factory) =>
          new Promise((done) => {
            const theme = { fg: (_colour: string, text: string) => text, bold: (text: string) => text };
            const keys = { matches: (data: string, key: PiKey) => data === key };
            this.panel = factory({ requestRender: () => {} }, theme, keys, done);
          }),
      },
      mode: this.mode,
      hasUI: this.hasUI,
      cwd: this.#cwd,
      sessionManager: {
        getSessionId: () => this.#sessionId,
        getSessionName: () => this.title,
        getEntries: () => [{ type: "message", message: { role: "user", content: "keep the shop open" } }],
      },
      isIdle: () => this.idle,
    };
  }
}
