import { join } from "node:path";
import { type OperationName, operationNames, type Scope } from "@paneward/sdk";
import { createAccess } from "../../../src/daemon/access.ts";
import { createAuthenticate } from "../../../src/http/access/authenticate.ts";
import { createHttpApp, type HttpApp, type HttpAppOptions } from "../../../src/http/app.ts";
import type { ConnectionLimits } from "../../../src/http/connection-limits.ts";
import { type Listening, type ListenOptions, listen } from "../../../src/http/listen.ts";
import type { Logins } from "../../../src/runtime/access/logins.ts";
import type { Pairings } from "../../../src/runtime/access/pairings.ts";
import { createToken } from "../../../src/runtime/access/tokens.ts";
import type { Caller, Handlers } from "../../../src/runtime/calls.ts";
import type { Log, OwnPeers, Store } from "../../../src/runtime/ports.ts";
import { openStore } from "../../../src/store/store.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { afterwards, type Cleanup, temporaryFolder } from "../../support/folder.ts";
import { testIdentity as identity } from "../../support/identity.ts";
import { sampleOutputs } from "../../support/samples.ts";

interface Call {
  readonly name: OperationName;
  readonly input: unknown;
  readonly caller: Caller;
}

export interface Served {
  readonly store: Store;
  readonly app: HttpApp;
  readonly listening: Listening;
  readonly socket: string;
  readonly port: number;
  readonly calls: Call[];
  readonly logged: { readonly level: string; readonly message: string; readonly details: object }[];
  readonly logins: Logins;
  readonly pairings: Pairings;
  readonly clock: { now(): number; value: number };
  /** A new token with this scope. */
  readonly token: (scope: Scope) => string;
}

export interface ServedOptions
  extends Partial<Pick<HttpAppOptions, "limits" | "gauges" | "web" | "team" | "tap" | "mounts" | "sockets" | "sites">> {
  readonly handlers?: Partial<Handlers>;
  readonly passkeys?: "required" | "off";
  /** The outputs of the other handlers; by default full samples. */
  readonly outputs?: typeof sampleOutputs;
  readonly timeouts?: NonNullable<ListenOptions["timeouts"]>;
  readonly folder?: string;
  readonly store?: Store;
  readonly port?: number;
  readonly ownPeers?: OwnPeers;
  readonly connections?: ConnectionLimits;
}

export const version = "1.2.3";

/** The app with real sockets and a real store; only the handlers are fake. */
export async function served(t: Cleanup, options: ServedOptions = {}): Promise<Served> {
  const folder = options.folder ?? (await temporaryFolder(t));
  const clock = { value: 1_000_000, now: () => clock.value, monotonic: () => clock.value };
  const logged: { level: string; message: string; details: object }[] = [];
  const log = logInto(logged);
  const store = options.store ?? openStore(join(folder, "paneward.db"), clock);
  const calls: Call[] = [];
  const access = createAccess(
    { clock: { ...systemClock(), ...clock }, log, store, identity },
    options.passkeys ?? "off",
  );
  const { logins, pairings } = access;
  const app = createHttpApp({
    handlers: { ...recordingHandlers(calls, options.outputs ?? sampleOutputs), ...options.handlers },
    store,
    authenticate: createAuthenticate({ store, clock, log, uid: 1_000, ...access }),
    access,
    ...(options.web === undefined ? {} : { web: options.web }),
    ...(options.sites ? { sites: options.sites } : {}),
    ...(options.team ? { team: options.team } : {}),
    ...(options.tap ? { tap: options.tap } : {}),
    mounts: options.mounts ?? [],
    sockets: options.sockets ?? [],
    ...(options.sites ? { sites: options.sites } : {}),
    version,
    clock,
    log,
    limits: { ...options.limits },
    ...(options.gauges ? { gauges: options.gauges } : {}),
  });
  const socket = join(folder, "run", "daemon.sock");
  const timeouts = { graceMs: 200, ...options.timeouts };
  const listening = await listen({
    ...{ app, socket, port: options.port ?? 0, timeouts },
    ...(options.ownPeers && { ownPeers: options.ownPeers }),
    ...(options.connections && { limits: options.connections }),
  });
  afterwards(t, async () => {
    await listening.close();
    if (!options.store) store.close();
  });
  const token = (scope: Scope) => {
    const { id, token: shown, hash } = createToken(identity.fingerprint);
    store.write((writer) => writer.putToken({ id, name: scope, scope, hash, createdAt: clock.now() }));
    return shown;
  };
  return { store, app, listening, socket, port: listening.port ?? 0, calls, logged, logins, pairings, clock, token };
}

function recordingHandlers(calls: Call[], outputs: typeof sampleOutputs): Handlers {
  const entries = operationNames.map((name) => [
    name,
    async (input: unknown, caller: Caller) => {
      const { signal: _gone, ...known } = caller;
      calls.push({ name, input, caller: known });
      return outputs[name];
    },
  ]);
  return Object.fromEntries(entries) as Handlers;
}

function logInto(logged: { level: string; message: string; details: object }[]): Log {
  const at =
    (level: string) =>
    (message: string, details: object = {}) => {
      logged.push({ level, message, details });
    };
  return { info: at("info"), warn: at("warn"), error: at("error") };
}
