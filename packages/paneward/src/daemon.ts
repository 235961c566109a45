import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Config } from "@paneward/sdk";
import { isTeamName, PanewardError, type Places, placesOf, teamTmuxSocket } from "@paneward/sdk";
import { hookScript } from "./agents/hook-script.ts";
import { createCapability } from "./capability/capability.ts";
import { createAuthenticate } from "./http/access/authenticate.ts";
import { createHttpApp } from "./http/app.ts";
import { hookDoor } from "./http/doors/hook-door.ts";
import { type Listening, listen } from "./http/listen.ts";
import { activitySocket } from "./http/sockets/activity-socket.ts";
import { terminalSocket } from "./http/sockets/terminal-socket.ts";
import { createMcpEndpoint } from "./mcp/endpoint.ts";
import { Logins, loginUrl } from "./runtime/access/logins.ts";
import { AgentBook } from "./runtime/agents/agent-book.ts";
import { Availability } from "./runtime/agents/availability.ts";
import { HookAnswers } from "./runtime/answering/hook-answers.ts";
import { resumeAnswers } from "./runtime/answering/resume-answers.ts";
import { Attention } from "./runtime/attention/attention.ts";
import { Courier } from "./runtime/courier/courier.ts";
import { Prompts } from "./runtime/courier/prompts.ts";
import { maintain } from "./runtime/operations/maintenance.ts";
import { createHandlers } from "./runtime/operations/operations.ts";
import { OutputCounts } from "./runtime/output/output-counts.ts";
import type { Clock, Log, Store } from "./runtime/ports.ts";
import { QuestionBook } from "./runtime/questions/question-book.ts";
import { Services } from "./runtime/services.ts";
import { createTeam } from "./runtime/team/team.ts";
import { teamHost } from "./runtime/team/workers.ts";
import { Adopted } from "./runtime/terminals/adopted.ts";
import { foreignSocket } from "./runtime/terminals/foreign-host.ts";
import { Supervisor } from "./runtime/terminals/supervisor.ts";
import { TmuxBridge } from "./runtime/tmux-bridge.ts";
import { AgentServers } from "./runtime/witnesses/agent-servers.ts";
import { followClaude } from "./runtime/witnesses/claude-files.ts";
import { hookScriptPath } from "./runtime/witnesses/hook-facts.ts";
import { Hooks } from "./runtime/witnesses/hooks.ts";
import type { Runtime } from "./runtime/world.ts";
import { openStore } from "./store/store.ts";
import { createAgentHttp } from "./system/agent-http.ts";
import { readConfigFiles } from "./system/config-files.ts";
import { takeLock } from "./system/lock.ts";
import { openLog } from "./system/log.ts";
import { machine } from "./system/machine.ts";
import { makePrivateFolder, privateFiles } from "./system/private-files.ts";
import { stateFiles } from "./system/state-files.ts";
import type { HostSettings } from "./terminals/host-connection.ts";
import { createHosts } from "./terminals/hosts.ts";
import { createTerminals } from "./terminals/terminals.ts";
import { createWorkspaces } from "./terminals/workspaces.ts";
import { createWorktrees } from "./worktrees/worktrees.ts";

export interface DaemonInfo {
  readonly pid: number;
  readonly version: string;
  readonly socket: string;
  readonly tmuxSocket: string;
  /** Undefined when the port was taken: the Unix socket still serves. */
  readonly port: number | undefined;
  readonly log: string;
  /** A link that logs a browser in, once; undefined without a port. */
  readonly loginLink: () => string | undefined;
}

export interface DaemonOptions {
  readonly foreground: boolean;
  readonly onReady?: (info: DaemonInfo) => void;
}

/** Runs the daemon until it is asked to stop; returns the exit code. The only place where things are put together. */
export async function runDaemon(options: DaemonOptions): Promise<number> {
  const { places, config } = await findPlaces();
  for (const folder of [dirname(places.socket), dirname(places.tmuxSocket), places.home, places.journals]) {
    await makePrivateFolder(folder);
  }
  const locks = [`${places.socket}.lock`, `${places.home}/daemon.lock`].map(takeLock);
  const log = openLog(places.log);
  const stopping = Promise.withResolvers<string>();
  let listening: Listening | undefined;
  const clock: Clock = { now: () => Date.now() };
  const store = openStore(places.database, clock);
  const hosts = createHosts(hostSettings(places, config), () => [
    "local",
    ...Object.keys(config.hosts),
    ...teamHosts(store),
  ]);
  const terminals = createTerminals(hosts);
  const agents = new AgentBook({ clock, store });
  const attention = new Attention({
    ...{ clock, log, terminals },
    cpuTime: (host, pid) => (config.hosts[host] ? undefined : machine.cpuTime(pid)),
    stuckAfterMs: Math.max(1, config.attention.stuck_seconds) * 1_000,
  });
  const rt: Runtime = {
    version: version(),
    startedAt: clock.now(),
    ...{ clock, log, places, store, terminals, attention, agents, machine },
    env: process.env,
    worktrees: createWorktrees(),
    files: privateFiles,
    questions: new QuestionBook({ clock, store }),
    availability: new Availability({ store, clock, terminals, agents }),
    hookAnswers: new HookAnswers(),
    prompts: new Prompts(clock),
    servers: new AgentServers({ clock, log, store, attention, agents, http: createAgentHttp() }),
    configFor: (root) => readConfigFiles(places.userConfig, root),
    httpPort: () => listening?.port,
    shutdown: () => setImmediate(() => stopping.resolve("asked to")),
  };
  const supervisor = new Supervisor(rt);
  await supervisor.reconcile();
  store.write((writer) => writer.append("sessions_changed", { reason: "the daemon started" }));
  rt.servers.begin();
  const courier = new Courier(rt);
  courier.resume();
  resumeAnswers(rt, courier);
  const logins = new Logins(store, clock);
  const counts = new OutputCounts(rt);
  const adopted = new Adopted(rt, supervisor);
  const own = createHandlers(rt, supervisor, courier, { logins, counts, adopted });
  const team = createTeam(rt, { supervisor, send: own.send, stop: own.stop });
  const handlers = { ...own, ...createCapability(rt, createWorkspaces(hosts)), ...team.operations };
  const authenticate = createAuthenticate({ store, clock, log, uid: process.getuid?.() ?? 0, logins });
  const mcp = createMcpEndpoint({ version: rt.version });
  const hooks = new Hooks(rt, (call, kind) => adopted.byHook(call, kind));
  store.onEvents((events) => {
    for (const event of events) if (event.type === "question_closed") rt.hookAnswers.gone(event.data.question.id);
  });
  // A hook may be reading the one of before: it is replaced, not written over.
  await privateFiles.replacePrivate(hookScriptPath(places), hookScript(places.socket));
  const app = createHttpApp({
    handlers,
    store,
    authenticate,
    version: rt.version,
    clock,
    log,
    team,
    gauges: () => gauges(rt),
    web: dashboard(),
    logins,
    sockets: [terminalSocket({ rt, keys: (id, bytes) => courier.keys(id, bytes) }), activitySocket(rt, counts)],
    mounts: [{ path: "/mcp", door: "mcp", answer: mcp.answer }, hookDoor(rt, hooks)],
  });
  listening = await listenWherePossible(app, places, config, log);
  await team.begin();
  const services = new Services({
    tmux_bridge: new TmuxBridge(rt, (id, { text, keys }) =>
      handlers.send(
        {
          id,
          enter: keys === undefined,
          ack: 0,
          force: false,
          ...(text === undefined ? { keys: [...(keys ?? [])] } : { text }),
        },
        daemonCaller,
      ),
    ),
    commander_availability: rt.availability,
  });
  services.get("commander_availability").begin(config.tmux_bridge.health_check_interval);
  adopted.begin();
  const claudeFiles = followClaude(rt, stateFiles);
  const maintenance = maintain(rt);
  const onSignal = (signal: NodeJS.Signals) => stopping.resolve(signal);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, onSignal);
  log.info("ready", {
    socket: places.socket,
    port: listening.port,
    version: rt.version,
    services: services.names(),
  });
  options.onReady?.({
    pid: process.pid,
    version: rt.version,
    socket: places.socket,
    tmuxSocket: places.tmuxSocket,
    port: listening.port,
    log: places.log,
    loginLink: () => loginLink(logins, listening?.port),
  });

  log.info("stopping", { reason: await stopping.promise });
  const steps = [
    maintenance.stop,
    claudeFiles.stop,
    () => rt.servers.stop(),
    () => adopted.stop(),
    () => rt.availability.stop(),
    team.close,
    mcp.close,
    () => rt.hookAnswers.close(),
    listening.close,
    () => courier.close(),
    () => supervisor.close(),
    terminals.stop,
    store.close,
  ];
  for (const step of [...steps, ...locks.map((lock) => lock.release)]) await evenIfItFails(step, log);
  return 0;
}

const daemonCaller = { who: "daemon", scope: "admin", door: "daemon" } as const;

// The daemon is going away: a step that fails must not keep the others from being done.
async function evenIfItFails(step: () => void | Promise<void>, log: Log): Promise<void> {
  try {
    await step();
  } catch (error) {
    log.error("a step of stopping failed", { error: String(error) });
  }
}

async function findPlaces(): Promise<{ readonly places: Places; readonly config: Config }> {
  const { userConfig } = placesOf(process.env);
  const { config } = await readConfigFiles(userConfig, undefined);
  return { places: placesOf(process.env, config.daemon), config };
}

// A port that is taken must not keep people from their terminals: the socket serves, and `doctor` says so.
async function listenWherePossible(
  app: ReturnType<typeof createHttpApp>,
  places: Places,
  config: Config,
  log: Log,
): Promise<Listening> {
  try {
    return await listen({ app, socket: places.socket, port: config.web.port });
  } catch (error) {
    if (!(error instanceof PanewardError && error.code === "unavailable")) throw error;
    log.warn("no HTTP on loopback", { reason: error.message });
    return listen({ app, socket: places.socket });
  }
}

function hostSettings(places: Places, config: Config): (name: string) => HostSettings | undefined {
  const common = {
    env: serverEnvironment(),
    journalSegments: Math.max(2, config.daemon.journal_max_mb),
    owner: places.home,
  };
  return (name) => {
    const own = foreignSocket(name);
    if (own !== undefined) return { name, prefix: [], quoting: "argv", socketPath: own, foreign: true, ...common };
    if (name === "local") {
      return { name, prefix: [], quoting: "argv", socketPath: places.tmuxSocket, ...common };
    }
    const [, team] = /^team:(.+)$/.exec(name) ?? [];
    if (team !== undefined && isTeamName(team)) {
      const socketPath = teamTmuxSocket(process.env.HOME ?? "/", team);
      return { name, prefix: [], quoting: "argv", socketPath, ...common };
    }
    const host = config.hosts[name];
    const patienceMs = config.tmux_bridge.subprocess_timeout * 1_000;
    const socket = host?.socket === undefined ? {} : { socketPath: host.socket };
    return host && { name, patienceMs, ...host, ...socket, ...common };
  };
}

// Teams with workers; what was never used is not worth a line.
function teamHosts(store: Store): readonly string[] {
  return [...new Set(store.team.workers().map(({ teamId }) => teamHost(teamId)))];
}

// What a terminal's program finds without asking. Keys and tokens are not among it: a task's agent gets its own by name.
function serverEnvironment(): Readonly<Record<string, string>> {
  const named = /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z]+|TZ|TMPDIR|EDITOR|VISUAL|PAGER|XDG_[A-Z_]+)$/;
  const found = Object.entries(process.env).filter(([name, value]) => named.test(name) && value !== undefined);
  return Object.fromEntries(found) as Record<string, string>;
}

function gauges(rt: Runtime): Readonly<Record<string, number>> {
  const terminals = rt.store.terminals();
  return {
    terminals: terminals.length,
    terminals_running: terminals.filter(({ phase }) => phase === "running").length,
    tasks: rt.store.tasks().length,
    hooks_waiting: rt.hookAnswers.size,
  };
}

function loginLink(logins: Logins, port: number | undefined): string | undefined {
  return port === undefined ? undefined : loginUrl(port, logins.link("admin", linkMinutes).secret);
}

// The link that is printed at the start may be opened a while later.
const linkMinutes = 60;

/** Built beside the daemon; in a clone, in its own package. */
function dashboard(): string {
  const beside = fileURLToPath(new URL("web/", import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL("../../web/dist/", import.meta.url));
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return (manifest as { readonly version: string }).version;
}
