import { dirname } from "node:path";
import { ownFolder } from "@paneward/sdk/node";
import { ToolFailure } from "./failure.ts";
import { type PiScreen, readPiScreen } from "./pi-screen.ts";
import { parseSessions, type Session } from "./session-names.ts";
import { smallEnvironment, type TeamSettings, workerEnvironment } from "./settings.ts";
import * as argv from "./tmux-argv.ts";
import type { TmuxRunner } from "./tmux-runner.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A team's own tmux server: one process per command, structured errors. */
export class TeamTmux {
  readonly socket: string;
  /** Sessions that a start under way will make known itself. */
  readonly starting = new Set<string>();
  readonly #run: TmuxRunner;
  readonly #env: Environment;

  constructor(socket: string, run: TmuxRunner, env: Environment) {
    this.socket = socket;
    this.#run = run;
    this.#env = env;
  }

  async sessions(): Promise<readonly Session[]> {
    const ran = await this.#run(argv.listSessions(this.socket), smallEnvironment(this.#env));
    if (ran.code === 0) return parseSessions(ran.stdout);
    // No server runs, so there are no sessions.
    if (/no server running|error connecting to .*No such file/.test(ran.stderr)) return [];
    throw failed(argv.listSessions(this.socket), ran.stderr);
  }

  async requireSession(name: string): Promise<Session> {
    const found = (await this.sessions()).find((session) => session.name === name);
    if (found) return found;
    throw new ToolFailure("session_not_found", `session ${name} does not exist; team_tmux_list lists sessions`);
  }

  async start(
    settings: TeamSettings,
    session: Pick<argv.NewSession, "name" | "cwd" | "env" | "toolCallId" | "leader">,
  ): Promise<void> {
    ownFolder(dirname(this.socket), "name a tmux socket in a folder of its own");
    await this.#runOrThrow(argv.startServer(this.socket));
    const passed = workerEnvironment(this.#env, settings.env);
    const args = argv.newSession(this.socket, { ...session, command: settings.cmd, passed: Object.keys(passed) });
    const ran = await this.#run(args, passed);
    if (ran.code !== 0) throw failed(args, ran.stderr);
  }

  async capture(name: string, lines: number): Promise<string> {
    return (await this.#runOrThrow(argv.capturePane(this.socket, name, lines))).replace(/\n+$/, "\n");
  }

  async screen(name: string): Promise<PiScreen & { readonly dead: boolean }> {
    const [dead = "", ...lines] = (await this.#runOrThrow(argv.visibleScreen(this.socket, name))).split("\n");
    return { ...readPiScreen(lines), dead: dead.trim() === "1" };
  }

  async type(name: string, text: string): Promise<void> {
    const oneLine = !text.includes("\n") && text.length < maxTypedLength;
    if (oneLine) await this.#runOrThrow(argv.typeText(this.socket, name, text));
    else await this.#runOrThrow(argv.pasteInput(this.socket, name), text);
  }

  async enter(name: string): Promise<void> {
    await this.#runOrThrow(argv.pressEnter(this.socket, name));
  }

  async kill(name: string): Promise<void> {
    await this.#runOrThrow(argv.killSession(this.socket, name));
  }

  async #runOrThrow(args: readonly string[], input?: string): Promise<string> {
    const ran = await this.#run(args, smallEnvironment(this.#env), input);
    if (ran.code === 0) return ran.stdout;
    throw failed(args, ran.stderr);
  }
}

const maxTypedLength = 500;

function failed(args: readonly string[], stderr: string): ToolFailure {
  const gone = /can't find (session|pane|window)|no server running/.test(stderr);
  const message = gone ? "the session does not exist" : "tmux refused";
  return new ToolFailure(gone ? "session_not_found" : "tmux_failed", message, { command: ["tmux", ...args], stderr });
}
