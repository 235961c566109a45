import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type Config, errorTable, PanewardError, type Places } from "@paneward/sdk";
import { checkSocketPath, keepOwnerRights, ownFolder, ownFolders } from "@paneward/sdk/node";
import { createAccess } from "./daemon/access.ts";
import { findPlaces } from "./daemon/find-places.ts";
import { gauges } from "./daemon/gauges.ts";
import { createHandlers } from "./daemon/handlers.ts";
import { openHosts } from "./daemon/hosts.ts";
import { keepLocks } from "./daemon/kept-locks.ts";
import { survive } from "./daemon/last-handler.ts";
import { besideLocks, takeDaemonLocks } from "./daemon/locks.ts";
import { createServices } from "./daemon/services.ts";
import { handleSignals } from "./daemon/signals.ts";
import { runStopSteps } from "./daemon/stop-steps.ts";
import { createAuthenticate } from "./http/access/authenticate.ts";
import { createHttpApp } from "./http/app.ts";
import { connectionLimits } from "./http/connection-limits.ts";
import { hookDoor } from "./http/doors/hook-door.ts";
import { type Listening, listen } from "./http/listen.ts";
import { activitySocket } from "./http/sockets/activity-socket.ts";
import { terminalSocket } from "./http/sockets/terminal-socket.ts";
import { createMcpEndpoint } from "./mcp/endpoint.ts";
import { createNoticeSender } from "./notify/sender.ts";
import { type Logins, loginUrl, loopbackOrigin } from "./runtime/access/logins.ts";
import { resumeAnswers } from "./runtime/answering/resume-answers.ts";
import { lookAtClients } from "./runtime/notify/attached.ts";
import { NotifyChannels } from "./runtime/notify/channels.ts";
import { Notifier } from "./runtime/notify/notifier.ts";
import { pushAddresses } from "./runtime/notify/push-addresses.ts";
import { answerTap } from "./runtime/notify/taps.ts";
import { type Check, checkInstallation } from "./runtime/operations/check-installation.ts";
import { watchFile } from "./runtime/operations/file-watch.ts";
import { reportLostRecords, reportUnreadable } from "./runtime/operations/lost-records.ts";
import { maintain } from "./runtime/operations/maintenance.ts";
import { watchRoom } from "./runtime/operations/room-watch.ts";
import type { Log } from "./runtime/ports.ts";
import { keepHookScript, writeHookScript } from "./runtime/witnesses/hook-script-file.ts";
import { Hooks } from "./runtime/witnesses/hooks.ts";
import { Records } from "./runtime/witnesses/records.ts";
import { followStateFiles } from "./runtime/witnesses/state-files.ts";
import type { World } from "./runtime/world.ts";
import { checkFile } from "./store/check-file.ts";
import { isInUse } from "./store/in-use.ts";
import { requireKnownSchema } from "./store/older-schemas.ts";
import { planRepair, type RepairPlan, repair } from "./store/repair.ts";
import { openStore } from "./store/store.ts";
import { systemClock } from "./system/clock.ts";
import { readConfigFiles } from "./system/config-files.ts";
import { growingFiles } from "./system/growing-files.ts";
import { openIdentity } from "./system/identity.ts";
import type { Lock } from "./system/lock.ts";
import { openLog } from "./system/log.ts";
import { machine } from "./system/machine.ts";
import { openFilesLimit } from "./system/open-files.ts";
import { ownPeers } from "./system/own-peers.ts";
import { privateFiles } from "./system/private-files.ts";
import { openPushKey } from "./system/push-key.ts";
import { reportReady } from "./system/ready.ts";
import { stateFiles } from "./system/state-files.ts";
import { createPaneInput } from "./terminals/pane-input.ts";
import { createTerminals } from "./terminals/terminals.ts";
import { createWorkspaces } from "./terminals/workspaces.ts";
import type { Guards } from "./worktrees/guard.ts";
import { finishInterrupted } from "./worktrees/interrupted.ts";
import { createWorktrees } from "./worktrees/worktrees.ts";

export interface DaemonInfo {
  readonly pid: number;
  readonly version: string;
  readonly socket: string;
  readonly tmuxSocket: string;
  /** Undefined when the port was taken; the Unix socket serves anyway. */
  readonly port: number | undefined;
  readonly log: string;
  /** A link that logs a browser in, once; undefined without a port. */
  readonly loginLink: () => string | undefined;
}

export interface DaemonOptions {
  readonly foreground: boolean;
  readonly onReady?: (info: DaemonInfo) => void;
}

/** Runs the daemon until it is asked to stop; returns the exit code. Only this file and daemon/ build and connect parts. */
export async function runDaemon(options: DaemonOptions): Promise<number> {
  keepOwnerRights(process);
  const { places, config } = await findPlaces();
  prepareFolders(places);
  const locks = takeDaemonLocks(places, isInUse);
  return await run(options, places, config, locks).catch((cause) => {
    throw besideLocks(cause);
  });
}

async function run(options: DaemonOptions, places: Places, config: Config, locks: readonly Lock[]): Promise<number> {
  const log = openLog(places.log);
  reportEndBefore(locks, log);
  const stopping = Promise.withResolvers<string>();
  let listening: Listening | undefined;
  const clock = systemClock();
  const store = openStore(places.database, clock);
  const hosts = openHosts(places, config, () => store);
  const terminals = createTerminals(hosts);
  const watches = [
    watchRoom({ store, clock, log, terminals, machine, places }),
    watchFile({ store, clock, log, machine, places }),
    keepLocks(locks, { clock, log }),
  ];
  const identity = await openIdentity(`${places.home}/identity.key`, privateFiles);
  const pushKey = await openPushKey(`${places.home}/push.key`, privateFiles);
  const guards: Guards = {
    folder: `${places.home}/git`,
    // Of the user's own file: a repository cannot allow itself a filter.
    filters: async () => (await readConfigFiles(places.userConfig, undefined)).config.git.filters,
  };
  const world: World = {
    version: version(),
    startedAt: clock.now(),
    ...{ clock, log, places, store, terminals, machine, identity, pushKey },
    env: process.env,
    worktrees: createWorktrees(guards),
    files: privateFiles,
    configFor: (root) => readConfigFiles(places.userConfig, root),
    httpPort: () => listening?.port,
    restore: config.daemon.restore,
    origins: config.web.origins,
    passkeys: config.web.passkeys,
    shutdown: () => setImmediate(() => stopping.resolve("asked to")),
  };
  const services = createServices(world, config, createPaneInput(hosts));
  const { supervisor, courier, adopted, availability, servers, hookAnswers } = services;
  const deps = { ...world, ...services };
  await finishInterrupted(guards, {
    report: log.warn,
    later: (again) => clock.timer(2_000, again),
  });
  reportUnreadable(world);
  reportLostRecords(world, await supervisor.reconcile());
  store.keep((writer) => writer.append("sessions_changed", { reason: "the daemon started" }));
  const records = new Records({ ...deps, files: growingFiles });
  servers.begin();
  courier.resume();
  resumeAnswers(deps);
  const access = createAccess(world, config.web.passkeys);
  const sender = createNoticeSender({
    folder: `${places.home}/notify`,
    tmuxSocket: places.tmuxSocket,
    lock: `${places.home}/daemon.lock`,
    env: process.env,
    log,
  });
  const channels = new NotifyChannels(world, pushAddresses(access.logins));
  const notifier: Notifier = new Notifier({
    ...{ ...world, sender, channels, presence: services.presence },
    attached: () => lookAtClients(world, services.presence),
    tapped: async ({ tap, reply }) => reply((await answer(tap)).words),
  });
  const { team, bridge, comeBack, handlers, finishRemovals } = createHandlers(
    world,
    { ...services, sender, channels, notifier },
    access,
    createWorkspaces(hosts),
  );
  const renew = (question: string, words: string) => notifier.renew(question, words);
  const answer = (tap: string) => answerTap({ ...world, respond: handlers.respond, renew }, tap);
  void finishRemovals();
  const authenticate = createAuthenticate({ store, clock, log, uid: process.getuid?.() ?? 0, ...access });
  const mcp = createMcpEndpoint({ version: world.version });
  const hooks = new Hooks(deps, (...found) => adopted.byHook(...found));
  store.onEvents((events) => {
    for (const { type, data } of events)
      if (type === "question_closed") services.requests.closed(data.question, data.by);
  });
  await writeHookScript(world);
  const app = createHttpApp({
    handlers,
    store,
    authenticate,
    version: world.version,
    clock,
    log,
    team,
    gauges: () => gauges(store, hookAnswers.size),
    web: dashboard(),
    access,
    sites: config.web,
    tap: answer,
    sockets: [
      terminalSocket({ ...deps, keys: (id, bytes, caller) => courier.keys(id, bytes, caller) }),
      activitySocket(world, services.counts),
    ],
    mounts: [{ path: "/mcp", door: "mcp", answer: mcp.answer }, hookDoor(deps, hooks)],
  });
  listening = await listenWherePossible(app, places, config, log);
  await team.begin();
  // Names by which the older dashboard knows these parts.
  const named = { tmux_bridge: bridge, commander_availability: availability };
  availability.begin(config.tmux_bridge.health_check_interval);
  adopted.begin();
  const followedFiles = followStateFiles(deps, stateFiles);
  const maintenance = maintain(world, () => notifier.tidy());
  notifier.begin(locks.at(-1)?.leftBy !== undefined);
  comeBack.begin();
  const keptScript = keepHookScript(world);
  const survival = survive(process, log);
  const { foreground } = options;
  const signals = handleSignals(process, { foreground, stop: (signal) => stopping.resolve(signal), log });
  log.info("ready", {
    socket: places.socket,
    port: listening.port,
    version: world.version,
    services: Object.keys(named),
  });
  const unreported = await reportReady(process.env);
  if (unreported !== undefined)
    log.warn("could not report to systemd that the daemon is ready", { reason: unreported });
  options.onReady?.({
    pid: process.pid,
    version: world.version,
    socket: places.socket,
    tmuxSocket: places.tmuxSocket,
    port: listening.port,
    log: places.log,
    loginLink: () => loginLink(access.logins, listening?.port),
  });

  log.info("stopping", { reason: await stopping.promise });
  const steps = [
    () => sender.expect(undefined),
    maintenance.stop,
    keptScript.stop,
    followedFiles.stop,
    () => comeBack.stop(),
    () => records.stop(),
    () => servers.stop(),
    () => adopted.stop(),
    () => availability.stop(),
    team.close,
    mcp.close,
    () => notifier.stop(),
    () => hookAnswers.close(),
    listening.close,
    () => courier.close(),
    () => supervisor.close(),
    terminals.stop,
    ...watches.map(({ stop }) => stop),
    store.close,
  ];
  await runStopSteps([...steps, ...locks.map((lock) => lock.release), signals.stop, survival.stop], world);
  return 0;
}

function prepareFolders(places: Places): void {
  checkSocketPath(places.socket);
  checkSocketPath(places.tmuxSocket, "`PANEWARD_TMUX_SOCKET_PATH`");
  ownFolders([
    [dirname(places.socket), "set PANEWARD_SOCKET_PATH to a path in a folder of its own"],
    [dirname(places.tmuxSocket), "set PANEWARD_TMUX_SOCKET_PATH to a path in a folder of its own"],
    [places.home, "set PANEWARD_HOME to a folder of your own"],
  ]);
  ownFolder(places.journals, "set PANEWARD_HOME to a folder of your own");
}

/** Fails with what would keep a daemon of this version from starting. Asked before the one that runs is stopped for it. */
export async function requireStartable(): Promise<void> {
  const { places } = await findPlaces();
  requireKnownSchema(places.database);
  const { kind } = await machine.ask("tmux", ["-V"]);
  if (kind !== "missing") return;
  throw new PanewardError("unavailable", "tmux is not installed or not on PATH: install tmux 3.2 or newer", {
    hint: "`paneward doctor` shows what is missing",
  });
}

/** Restores the newest good backup of a damaged or lost database, if `confirm` agrees. No daemon may run. */
export async function repairDatabase(
  confirm: (plan: RepairPlan) => Promise<boolean>,
  options: { readonly downgrade: boolean },
): Promise<RepairPlan> {
  const { places } = await findPlaces();
  prepareFolders(places);
  const locks = takeDaemonLocks(places, isInUse);
  try {
    const { now } = systemClock();
    const plan = planRepair(places.database, now(), options);
    if (plan.problem !== undefined && (await confirm(plan))) repair(places.database, plan, now());
    return plan;
  } finally {
    for (const lock of locks) lock.release();
  }
}

/** What `paneward doctor` can check while no daemon answers; `why` it does not is the first of it. */
export async function checkWithoutDaemon(why: PanewardError): Promise<readonly Check[]> {
  const { places } = await findPlaces();
  return checkInstallation(
    { machine, places, configFor: () => readConfigFiles(places.userConfig, undefined) },
    {
      // What is missing stands below: `paneward doctor` does not advise itself.
      daemon: {
        name: "daemon",
        ok: false,
        detail: why.message,
        ...(why.hint === errorTable.unavailable.hint ? {} : { hint: why.hint }),
      },
      http: [],
      database: checkFile(places.database, systemClock().now()),
      hosts: [],
      failing: [],
    },
  );
}

/** Nothing that was acknowledged is lost with a daemon that is killed, but its user should know. */
function reportEndBefore(locks: readonly Lock[], log: Log): void {
  const pid = locks.at(-1)?.leftBy;
  if (pid !== undefined) log.warn("the daemon before this one did not stop by itself; what it stored is kept", { pid });
}

// A port that is taken must not make terminals unreachable: the Unix socket serves, and `doctor` reports the port.
async function listenWherePossible(
  app: ReturnType<typeof createHttpApp>,
  places: Places,
  config: Config,
  log: Log,
): Promise<Listening> {
  const limits = connectionLimits(openFilesLimit());
  if (limits.maxConnections < connectionLimits().maxConnections) {
    log.warn("few files may be open, so fewer connections are taken; `ulimit -n` sets this", { ...limits });
  }
  const listening = await listen({
    ...{ app, limits, socket: places.socket, port: config.web.port },
    ownPeers: ownPeers(process.getuid?.() ?? 0),
  });
  if (listening.portRefused) log.warn("no HTTP on loopback", { reason: listening.portRefused.message });
  return listening;
}

function loginLink(logins: Logins, port: number | undefined): string | undefined {
  if (port === undefined) return undefined;
  const origin = loopbackOrigin(port);
  return loginUrl(origin, logins.link("admin", linkMinutes, origin).secret);
}

// The link printed at the start may be opened a while later.
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
