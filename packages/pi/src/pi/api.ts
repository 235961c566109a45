import type { TObject } from "typebox";

/**
 * The part of pi's extension interface that this package uses, declared here so that building needs no package of pi;
 * `scripts/typecheck-pi.ts` checks it against the real interface.
 */
export interface Pi {
  on(event: "session_start", handler: Handler<SessionStart>): void;
  on(event: "session_shutdown", handler: Handler<SessionShutdown>): void;
  on(event: "tool_call", handler: Handler<ToolCall, ToolCallAnswer>): void;
  on(event: "tool_result", handler: Handler<ToolResult>): void;
  on(event: "message_start", handler: Handler<MessageStart>): void;
  on(event: "agent_end", handler: Handler<AgentEnd>): void;
  on(event: "agent_start", handler: Handler<unknown>): void;
  on(event: "agent_settled", handler: Handler<unknown>): void;
  on(event: "session_info_changed", handler: Handler<unknown>): void;
  registerTool(tool: PiTool): void;
  registerCommand(name: string, options: CommandOptions): void;
  sendMessage<Details>(message: CustomMessage<Details>, options?: SendOptions): void;
}

export type Handler<Event, Answer = void> = (
  event: Event,
  ctx: PiContext,
) => Answer | Promise<Answer | undefined> | undefined;

export interface SessionStart {
  readonly reason: "startup" | "reload" | "new" | "resume" | "fork";
}

export interface SessionShutdown {
  readonly reason: "quit" | "reload" | "new" | "resume" | "fork";
}

export interface ToolCall {
  readonly toolName: string;
  readonly toolCallId: string;
  /** May be changed in place: the tool then runs with the change, which the transcript does not show. */
  readonly input: object;
}

export interface ToolCallAnswer {
  block?: boolean;
  reason?: string;
}

export interface ToolResult {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly input: object;
  readonly content: readonly { readonly type: string }[];
  readonly isError: boolean;
}

export interface MessageStart {
  readonly message: object;
}

export interface AgentEnd {
  readonly messages: readonly object[];
}

export interface PiTool {
  name: string;
  label: string;
  description: string;
  /** A JSON schema, made with typebox. */
  parameters: TObject;
  /** An exception is an error for the model. */
  execute: (
    toolCallId: string,
    params: never,
    signal: AbortSignal | undefined,
    onUpdate: unknown,
    ctx: PiContext,
  ) => Promise<PiToolResult>;
}

export interface PiToolResult {
  content: { type: "text"; text: string }[];
  details: unknown;
}

export interface CommandOptions {
  description?: string;
  getArgumentCompletions?: (prefix: string) => { value: string; label: string }[] | null;
  handler: (args: string, ctx: PiContext) => Promise<void>;
}

export interface CustomMessage<Details = unknown> {
  customType: string;
  content: string;
  display: boolean;
  details?: Details;
}

export interface SendOptions {
  triggerTurn?: boolean;
  deliverAs?: "steer" | "followUp" | "nextTurn";
}

export interface PiContext {
  readonly ui: PiUi;
  readonly mode: "tui" | "rpc" | "json" | "print";
  readonly hasUI: boolean;
  readonly cwd: string;
  readonly sessionManager: PiSession;
  isIdle(): boolean;
}

export interface PiSession {
  getSessionId(): string;
  getSessionName(): string | undefined;
  getEntries(): readonly object[];
}

export interface PiUi {
  notify(message: string, type?: NoticeLevel): void;
  setStatus(key: string, text: string | undefined): void;
  setWidget(key: string, lines: string[] | undefined): void;
  confirm(title: string, message: string): Promise<boolean>;
  custom<Result>(
    factory: (tui: PiTui, theme: PiTheme, keybindings: PiKeys, done: (result: Result) => void) => PiComponent,
    options?: { overlay?: boolean },
  ): Promise<Result>;
}

export type NoticeLevel = "info" | "warning" | "error";

export interface PiTui {
  requestRender(): void;
}

export interface PiTheme {
  fg(colour: "accent" | "dim" | "error" | "success" | "warning" | "muted", text: string): string;
  bold(text: string): string;
}

export interface PiKeys {
  matches(data: string, key: PiKey): boolean;
}

export type PiKey = "tui.select.up" | "tui.select.down" | "tui.select.confirm" | "tui.select.cancel";

export interface PiComponent {
  render(width: number): string[];
  handleInput?(data: string): void;
  invalidate(): void;
  dispose?(): void;
}
