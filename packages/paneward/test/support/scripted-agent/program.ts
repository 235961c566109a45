import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type Dialog, type DialogAnswer, press } from "./dialog.ts";
import { decisionOf, dialogsOf, spoken } from "./dialog-words.ts";
import { type Fire, hooksOf } from "./hooks.ts";
import { InputLine } from "./input-line.ts";
import { type Key, keyReader } from "./keys.ts";
import { type AgentKind, drawnAfterMs, type Manners, manners } from "./kinds.ts";
import { launchOf } from "./launch.ts";
import { draw } from "./looks.ts";
import { ScriptedRecord } from "./record.ts";
import { type Step, stepsOf } from "./script.ts";
import { ScriptedServer } from "./server.ts";

// A terminal program that behaves like a coding agent. See ../scripted-agent.ts.

class ScriptedAgent {
  readonly #kind: AgentKind;
  readonly #manners: Manners;
  readonly #record: string;
  readonly #fire: Fire;
  readonly #sessionId: string;
  readonly #conversation: ScriptedRecord;
  readonly #said: string[];
  readonly #input: InputLine;
  readonly #queue: string[] = [];
  #dialog: { readonly view: Dialog; readonly done: (answer: DialogAnswer) => void } | undefined;
  #busySince: number | undefined;
  #interrupt = new AbortController();
  #frame = 0;
  #title = "";
  #started = false;
  #server: ScriptedServer | undefined;
  #dialogs = 0;

  constructor(kind: AgentKind, record: string, fire: Fire, sessionId: string) {
    this.#kind = kind;
    this.#manners = manners[kind];
    this.#record = record;
    this.#input = new InputLine(kind, manners[kind], () => this.#note({ kind: "swallowed" }));
    this.#fire = fire;
    this.#sessionId = sessionId;
    this.#conversation = new ScriptedRecord(kind, sessionId);
    this.#said = [`${kind} (scripted) ready`, ""];
  }

  async begin(prompt: string | undefined, port: number | undefined): Promise<void> {
    if (port !== undefined && process.env.SCRIPTED_DEAF === undefined) {
      this.#server = new ScriptedServer(this.#sessionId, this.#record, (entry) => this.#note(entry));
      this.#server.onPrompt = (text) => this.#submit(text);
      this.#server.onAbort = () => this.#interrupt.abort();
      await this.#server.listen(port);
    }
    process.stdin.setRawMode?.(true);
    process.stdin.setEncoding("utf8").on(
      "data",
      keyReader((key) => this.#key(key)),
    );
    process.stdin.on("end", () => this.#end(0, "other"));
    process.stdout.on("resize", () => this.#draw());
    // The real Gemini and opencode enable bracketed paste only after drawing their input line; these never do.
    if (!this.#manners.bangIsShell) process.stdout.write("\u001b[?2004h");
    setInterval(() => this.#tick(), 120);
    for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => this.#end(143, "other"));
    if (this.#kind !== "codex") await this.#begins();
    this.#status("idle");
    this.#draw();
    this.#note({ kind: "ready", pid: process.pid, argv: process.argv.slice(4) });
    if (prompt !== undefined) this.#submit(prompt);
  }

  async #begins(): Promise<void> {
    if (this.#started) return;
    this.#started = true;
    await this.#fire("SessionStart", { source: "startup" });
  }

  #key(key: Key): void {
    if (this.#dialog) this.#keyInDialog(this.#dialog.view, this.#dialog.done, key);
    else if (key.kind === "named") this.#named(key.name);
    else this.#input.insert(key);
    this.#draw();
  }

  // Claude drops keys right after a dialog appeared; a digit that arrives before it lands in the input line.
  #keyInDialog(view: Dialog, done: (answer: DialogAnswer) => void, key: Key): void {
    if (Date.now() - view.openedAt < this.#manners.dialogGraceMs) {
      this.#note({ kind: "dropped", key });
      if (key.kind === "text" && key.text.length === 1) this.#input.draft += key.text;
      return;
    }
    const answer = press(this.#kind, view, key);
    if (answer) done(answer);
  }

  #named(name: Extract<Key, { kind: "named" }>["name"]): void {
    if (name === "Escape") this.#interrupt.abort();
    if ((name === "Interrupt" || name === "EndOfInput") && this.#input.draft === "") {
      this.#end(0, "prompt_input_exit");
    }
    const prompt = this.#input.press(name);
    if (prompt !== undefined) this.#submit(prompt);
  }

  #submit(prompt: string): void {
    this.#note({ kind: "prompt", text: prompt, queued: this.#busySince !== undefined });
    this.#queue.push(prompt);
    if (this.#busySince === undefined) void this.#work();
  }

  async #work(): Promise<void> {
    this.#busySince = Date.now();
    this.#status("busy");
    for (let prompt = this.#queue.shift(); prompt !== undefined; prompt = this.#queue.shift()) await this.#turn(prompt);
    this.#busySince = undefined;
    this.#status("idle");
    this.#draw();
  }

  async #turn(prompt: string): Promise<void> {
    this.#interrupt = new AbortController();
    const { signal } = this.#interrupt;
    this.#say(`> ${prompt.split("\n")[0] ?? ""}`, "");
    await this.#begins();
    await this.#fire(this.#kind === "gemini" ? "BeforeAgent" : "UserPromptSubmit", { prompt });
    this.#conversation.given(prompt);
    this.#server?.given(prompt);
    for (const step of stepsOf(prompt)) {
      if (!signal.aborted) await this.#step(step, signal);
    }
    if (signal.aborted) {
      this.#note({ kind: "interrupted" });
      this.#say("  ⎿ Interrupted · What should be done instead?", "");
      if (this.#kind === "codex") await this.#fire("Interrupt", {});
      return;
    }
    const last = { last_assistant_message: this.#said.findLast((line) => line.startsWith("● ")) ?? "" };
    await this.#fire(this.#kind === "gemini" ? "AfterAgent" : "Stop", {
      ...last,
      stop_hook_active: false,
      background_tasks: /\bBACKGROUND\b/.test(prompt) ? [{ id: "b1", type: "shell", status: "running" }] : [],
      session_crons: [],
      prompt,
    });
    this.#note({ kind: "stopped" });
  }

  async #step(step: Step, signal: AbortSignal): Promise<void> {
    switch (step.kind) {
      case "say":
        this.#say(`● ${step.text}`, "");
        return;
      case "slow":
        await delay(step.ms, undefined, { signal }).catch(() => {});
        return;
      case "exit":
        this.#end(step.code, "other");
        return;
      case "run":
        return this.#run(step.command);
      default:
        return this.#ask(step.kind);
    }
  }

  async #run(command: string): Promise<void> {
    const tool = { tool_name: "Bash", tool_input: { command, description: "Run scripted command" } };
    const use = { ...tool, tool_use_id: `toolu_${randomUUID().slice(0, 8)}` };
    await this.#fire(this.#kind === "gemini" ? "BeforeTool" : "PreToolUse", use);
    if (this.#manners.asksBeforeRunning && !(await this.#permitted(command, tool))) return;
    const code = await new Promise<number>((resolve) => {
      execFile("sh", ["-c", command], (error, stdout) => {
        this.#say(
          `● Bash(${command})`,
          ...stdout
            .split("\n")
            .filter(Boolean)
            .map((line) => `  ⎿  ${line}`),
          "",
        );
        resolve(error ? Number(error.code ?? 1) : 0);
      });
    });
    this.#note({ kind: "ran", command, code });
    await this.#fire(this.#kind === "gemini" ? "AfterTool" : "PostToolUse", { ...use, tool_response: { code } });
  }

  async #permitted(command: string, tool: object): Promise<boolean> {
    const options = this.#manners.permission(command);
    const title = this.#manners.permissionTitle;
    const answer = await this.#open({ kind: "permission", title, detail: command, options }, { ...tool });
    const allowed = answer.kind === "option" && answer.index < options.length - 1;
    this.#note({ kind: allowed ? "approved" : "denied", command, answer });
    if (!allowed) this.#interrupt.abort();
    return allowed;
  }

  async #ask(kind: "ask" | "ask_many" | "plan"): Promise<void> {
    const dialog = dialogsOf(this.#manners.ownWords);
    const questions = [{ question: dialog[kind].title, options: dialog[kind].options.map((label) => ({ label })) }];
    const tool = kind === "plan" ? "ExitPlanMode" : "AskUserQuestion";
    await this.#fire("PreToolUse", { tool_name: tool, tool_input: { questions } });
    const answer = await this.#open(dialog[kind], { tool_name: tool, tool_input: { questions } });
    this.#note({ kind: "answered", answer });
    if (answer.kind === "escape") return this.#interrupt.abort();
    this.#say(`● Answered: ${spoken(answer, dialog[kind].options)}`, "");
    await this.#fire("PostToolUse", { tool_name: tool, tool_input: { questions, answers: answer } });
  }

  // The hook fires, and the dialog is drawn a little later; the first answer wins. Codex draws it after the hook
  // has returned.
  async #open(
    wanted: Pick<Dialog, "kind" | "title" | "detail" | "options" | "own">,
    tool: Readonly<Record<string, unknown>>,
  ): Promise<DialogAnswer> {
    const gemini = this.#kind === "gemini";
    const details = { notification_type: "ToolPermission", details: { type: "exec", command: wanted.detail } };
    const fire = () => this.#fire(gemini ? "Notification" : "PermissionRequest", gemini ? details : tool);
    const early = this.#kind === "codex" ? decisionOf(await fire()) : undefined;
    if (early) return early;
    const { promise, resolve } = Promise.withResolvers<DialogAnswer>();
    this.#server?.asked(wanted).then(resolve);
    if (this.#kind !== "codex") {
      fire().then((said) => {
        const decision = decisionOf(said);
        if (decision) resolve(decision);
      });
    }
    await Promise.race([promise, delay(drawnAfterMs(this.#manners, this.#dialogs++))]);
    const view: Dialog = { ...wanted, openedAt: Date.now(), selected: 0, checked: new Set() };
    this.#dialog = { view, done: resolve };
    this.#status("waiting", wanted.kind === "permission" ? "permission prompt" : "input needed");
    this.#note({ kind: "asked", dialog: wanted.kind, detail: wanted.detail });
    this.#draw();
    const answer = await promise;
    this.#dialog = undefined;
    this.#status("busy");
    this.#draw();
    return answer;
  }

  #tick(): void {
    if (this.#busySince === undefined || this.#dialog) return;
    this.#frame += 1;
    this.#draw();
  }

  #draw(): void {
    const { columns = 80, rows = 24 } = process.stdout;
    const dialog = this.#dialog?.view;
    const { lines, title, cursor } = draw(this.#kind, {
      said: this.#said,
      draft: this.#input.draft,
      columns,
      rows,
      frame: this.#frame,
      ...(this.#busySince === undefined ? {} : { busySince: this.#busySince }),
      ...(dialog ? { dialog } : {}),
    });
    const named = title === this.#title ? "" : `\u001b]2;${title}\u0007`;
    this.#title = title;
    const drawn = lines.map((line) => `${line}\u001b[K`).join("\r\n");
    process.stdout.write(
      `\u001b[?2026h${named}\u001b[H${drawn}\u001b[J\u001b[${cursor.row};${cursor.column}H\u001b[?2026l`,
    );
  }

  #say(...lines: readonly string[]): void {
    this.#said.push(...lines);
    this.#draw();
  }

  #note(entry: Readonly<Record<string, unknown>>): void {
    appendFileSync(this.#record, `${JSON.stringify({ at: Date.now(), ...entry })}\n`);
  }

  // Claude writes such a file per process; it is up to date where no hook fires.
  #status(status: "idle" | "busy" | "waiting", waitingFor?: string): void {
    this.#server?.status(status);
    if (this.#kind !== "claude") return;
    const folder = `${process.env.HOME}/.claude/sessions`;
    mkdirSync(folder, { recursive: true });
    const file = { pid: process.pid, sessionId: this.#sessionId, cwd: process.cwd(), status, waitingFor };
    writeFileSync(`${folder}/${process.pid}.json`, JSON.stringify({ ...file, statusUpdatedAt: Date.now() }));
  }

  #end(code: number, reason: string): void {
    this.#note({ kind: "ended", code });
    void this.#fire("SessionEnd", { reason }).then(() => {
      if (this.#kind === "claude") rmSync(`${process.env.HOME}/.claude/sessions/${process.pid}.json`, { force: true });
      process.stdout.write("\u001b[?2004l", () => process.exit(code));
    });
  }
}

const launch = launchOf(process.argv.slice(2));
const fire = hooksOf(launch.kind, launch.settings, launch.sessionId);
await new ScriptedAgent(launch.kind, launch.record, fire, launch.sessionId).begin(launch.prompt, launch.port);
