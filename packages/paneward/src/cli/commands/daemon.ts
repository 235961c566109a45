import { type Output, PanewardError } from "@paneward/sdk";
import { ageOf } from "@paneward/sdk/text";
import type { Call, Command } from "../command.ts";
import { daemonArgv } from "../daemon/daemon-argv.ts";
import { pingIfRunning, replaceRunning, startAndPing, stopIfRunning } from "../daemon/running.ts";
import { pathForSource } from "../from-source.ts";
import { cliVersion } from "../version.ts";

export const daemonCommands: readonly Command[] = [
  {
    name: "up",
    operations: [],
    summary: "run the daemon in the foreground until Ctrl-C",
    details: "Prints its addresses and the first commands to try. `npm start` in a clone does this.",
    json: false,
    examples: ["paneward up"],
    run: up,
  },
  {
    name: "daemon start",
    operations: ["ping"],
    summary: "start the daemon in the background",
    examples: ["paneward daemon start"],
    run: start,
  },
  {
    name: "daemon stop",
    operations: ["shutdown"],
    summary: "stop the daemon; terminals keep running",
    details: "Waits until the process is gone.",
    examples: ["paneward daemon stop"],
    run: stop,
  },
  {
    name: "daemon restart",
    operations: ["shutdown", "ping"],
    summary: "stop the daemon and start this version; terminals keep running",
    details:
      "Use it after an update; commands print a note when the daemon has another version. Where this version could not start, the daemon that runs is not stopped.",
    examples: ["paneward daemon restart"],
    run: restart,
  },
  {
    name: "daemon status",
    operations: ["ping"],
    summary: "whether the daemon is running; exit code 3 if not",
    details: "Never starts one.",
    examples: ["paneward daemon status", "paneward daemon status --json"],
    run: status,
  },
  {
    name: "daemon run",
    operations: [],
    summary: "run the daemon in the foreground, quietly; for service managers",
    json: false,
    examples: ["paneward daemon run"],
    run: (call) => runHere(call, false),
  },
];

async function up(call: Call): Promise<number> {
  const { out } = call;
  const code = await runHere(call, true, (info) => {
    out.line(`paneward ${info.version} is up, pid ${info.pid}. Ctrl-C stops it; terminals keep running.`);
    out.line(`  socket  ${info.socket}`);
    out.line(`  tmux    ${info.tmuxSocket}`);
    out.line(`  http    ${httpText(info.port)}`);
    const link = info.loginLink();
    if (link !== undefined) out.line(`  open    ${link}  (valid once, for an hour; for another: paneward login link)`);
    out.line(`  log     ${info.log}`);
    out.line("Try in another terminal:");
    for (const line of [...pathForSource(), ...firstSteps]) out.line(`  ${line}`);
  });
  out.line("The daemon has stopped. Terminals keep running; the next command starts it again.");
  return code;
}

const firstSteps = ["paneward demo", 'paneward new "what to do"', "paneward run -- make", "paneward ps --watch"];

function httpText(port: number | undefined): string {
  if (port === undefined) return "none: the port is in use; set another `port` under [web] in config.toml";
  return `http://127.0.0.1:${port}  (needs a token: paneward token create --scope read)`;
}

type Ready = NonNullable<Parameters<typeof import("../../daemon.ts")["runDaemon"]>[0]["onReady"]>;

async function runHere(call: Call, foreground: boolean, onReady?: Ready): Promise<number> {
  call.progress.silence();
  const { runDaemon } = await import("../../daemon.ts");
  try {
    return await runDaemon({ foreground, ...(onReady ? { onReady } : {}) });
  } catch (cause) {
    if (!(cause instanceof PanewardError) || cause.code !== "wrong_state") throw cause;
    const first = await pingIfRunning(call);
    const message = first ? `a daemon is already running with pid ${first.pid}` : cause.message;
    throw new PanewardError("wrong_state", message, {
      hint: "`paneward daemon stop` stops it",
      cause,
    });
  } finally {
    // After a failed start, open handles must not keep the process alive.
    setTimeout(() => process.exit(), 1_000).unref();
  }
}

async function start(call: Call): Promise<undefined> {
  const { options, out } = call;
  const running = await pingIfRunning(call);
  const answer = running ?? (await startAndPing(call));
  if (options.flag("json")) return void out.json(answer);
  const how = running ? "is already running" : "has started";
  out.line(`the daemon ${how}: pid ${answer.pid}, socket ${call.connection.address}`);
}

async function stop(call: Call): Promise<undefined> {
  const { options, out } = call;
  const stopped = await stopIfRunning(call);
  if (!stopped) throw notRunning(call);
  if (options.flag("json")) out.json(stopped);
  else out.line(`the daemon with pid ${stopped.pid} has stopped; terminals keep running`);
}

async function restart(call: Call): Promise<undefined> {
  const { options, out } = call;
  const answer = await replaceDaemon(call);
  if (options.flag("json")) out.json(answer);
  else out.line(`the daemon has started: pid ${answer.pid}, socket ${call.connection.address}`);
}

/** Programs that were started before an update may start their own version in the moment without a daemon. */
async function replaceDaemon(call: Call, attempts = 3): Promise<Output<"ping">> {
  await requireOwnService(call);
  const answer = await replaceRunning(call);
  if (answer.version === cliVersion() || attempts === 1) return answer;
  return replaceDaemon(call, attempts - 1);
}

/** The service of another installation would start that one again. */
async function requireOwnService({ connection, env }: Call): Promise<void> {
  const { otherVersion } = await import("../../service/service.ts");
  const other = await otherVersion(connection.places, env, { program: daemonArgv().join(" "), version: cliVersion() });
  if (other === undefined) return;
  throw new PanewardError(
    "wrong_state",
    `the service runs another installation, version ${other.version}: ${other.program}`,
    {
      hint: "`paneward service install` moves it to this one, and replaces the daemon",
    },
  );
}

async function status(call: Call): Promise<number> {
  const { options, out, connection } = call;
  const answer = await pingIfRunning(call);
  if (!answer) throw notRunning(call);
  if (options.flag("json")) out.json(answer);
  else {
    out.line(
      `the daemon is running: pid ${answer.pid}, version ${answer.version}, up ${ageOf(answer.startedAt, Date.now())}`,
    );
    out.line(`socket ${connection.address}, last event ${answer.lastEvent}`);
  }
  return 0;
}

function notRunning({ connection }: Call): PanewardError {
  const hint = "`paneward daemon start` starts it";
  return new PanewardError("not_found", `the daemon is not running: nothing listens on ${connection.address}`, {
    hint,
  });
}
