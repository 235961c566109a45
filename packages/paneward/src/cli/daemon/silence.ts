import { type CallOptions, type Client, operationNames, PanewardError, routes } from "@paneward/sdk";

export interface SilenceOptions {
  /** A call that every daemon answers at once. */
  readonly ping: (signal: AbortSignal) => Promise<unknown>;
  readonly note: (text: string) => void;
  /** The daemon's process, as far as it is known here. */
  readonly pid: () => string | undefined;
  /** Does this after so many milliseconds, unless it is cancelled. */
  readonly after?: (ms: number, act: () => void) => () => void;
}

type Ask = (input: object, options?: CallOptions) => Promise<unknown>;

/**
 * Makes clients whose calls do not wait in silence for a daemon that takes them and answers nobody: one that is stopped, or
 * hangs. A call may legitimately take hours, so the daemon is asked beside it whether it answers at all.
 */
export function sayingSilence(options: SilenceOptions): (client: Client) => Client {
  const said: Said = { isSilent: false };
  return (client) => {
    const calls = operationNames.map((name) => {
      const ask: Ask = (input, given) =>
        heard((client[name] as Ask)(input, given), said, { ...options, ...giveUp(name, input ?? {}) });
      return [name, ask];
    });
    return { ...client, ...Object.fromEntries(calls) };
  };
}

/** Shared by all calls of a command: it is said once. */
interface Said {
  isSilent: boolean;
}

interface GiveUp {
  readonly limitMs: number;
  readonly changes: boolean;
}

async function heard(call: Promise<unknown>, said: Said, options: SilenceOptions & GiveUp): Promise<unknown> {
  const { ping, note, pid, limitMs, changes, after = afterwards } = options;
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const look = async () => {
    const abort = new AbortController();
    const sayIt = () => {
      if (!said.isSilent) note("waiting, the daemon does not answer");
      said.isSilent = true;
    };
    const timers = [
      after(signMs, sayIt),
      after(limitMs - askAfterMs, () => reject(silent(pid(), changes))),
      () => abort.abort(),
    ];
    cancel = () => {
      for (const end of timers) end();
    };
    // What fails is no silence: then the call itself reports what is wrong.
    await ping(abort.signal).catch(() => undefined);
    if (abort.signal.aborted) return;
    cancel();
    if (said.isSilent) note("the daemon answers again");
    said.isSilent = false;
    cancel = after(againMs, look);
  };
  let cancel = after(askAfterMs, look);
  try {
    return await Promise.race([call, givenUp]);
  } finally {
    cancel();
  }
}

/** What may be done later anyway is given up later. What waits keeps the time that it was given. */
function giveUp(name: (typeof operationNames)[number], input: object): GiveUp {
  const changes = routes[name].method !== "get" && name !== "wait";
  const waits = ["timeout", "wait", "ack"].map((field) => Number(Reflect.get(input, field) ?? 0) || 0);
  return { changes, limitMs: (changes ? changeMs : readMs) + Math.max(...waits) * 1_000 };
}

function silent(pid: string | undefined, changes: boolean): PanewardError {
  const process = pid === undefined ? "PID" : pid;
  const find = pid === undefined ? "`pgrep -af paneward` finds it, " : "";
  const cure = `its process may be stopped or hang: ${find}\`kill -CONT ${process}\` resumes it, \`kill -KILL ${process}\` ends it and no terminal`;
  const who = pid === undefined ? "the daemon" : `the daemon (pid ${pid})`;
  if (!changes) return new PanewardError("unavailable", `${who} takes calls and does not answer`, { hint: cure });
  return new PanewardError("outcome_unknown", `${who} does not answer; it may still do what it was asked`, {
    hint: `${cure}; look with \`paneward ps\` or \`paneward deliveries ID\` before you try again`,
  });
}

function afterwards(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  timer.unref();
  return () => clearTimeout(timer);
}

/** Most calls are answered before. */
const askAfterMs = 1_000;
/** With `askAfterMs`, two and a half seconds: a daemon that writes much is slower than usual, and not silent. */
const signMs = 1_500;
const againMs = 5_000;
const readMs = 10_000;
/** Longer than a daemon that is not running may take to start. */
const changeMs = 20_000;
