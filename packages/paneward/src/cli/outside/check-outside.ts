import { PanewardError } from "@paneward/sdk";
import { defaultConfig, originProblem } from "@paneward/sdk/config";
import type { Connection } from "../daemon/connection.ts";
import {
  bad,
  type Check,
  checkEvents,
  checkHost,
  checkIdentity,
  checkOrigin,
  checkSocket,
  checkWaiting,
  connection,
  daemonIn,
  good,
} from "./checks.ts";
import { betweenOf, cureOf, type Trouble } from "./cures.ts";
import { addressesOf, asked, connected } from "./probe.ts";

export interface Outside {
  readonly origin: string;
  /** Without one, only what strangers reach is checked. */
  readonly token: string | undefined;
  /** The port on which the daemon listens, for the hints. */
  readonly port: number;
  /** For how many seconds a request may wait for its answer; 0 does not try. */
  readonly idleSeconds: number;
  /** Makes something happen that every event stream reports; undefined without the daemon's socket. */
  readonly stir: ((reason: string) => Promise<unknown>) | undefined;
}

/** What a check from this machine may use: a token of its own for a moment if the daemon is here, else the one given. */
export async function reachOf(
  { isLocal, running }: Pick<Connection, "isLocal" | "running">,
  env: NodeJS.ProcessEnv,
): Promise<Pick<Outside, "token" | "port" | "stir"> & { readonly end: () => Promise<void> }> {
  const port = defaultConfig.web.port;
  const otherwise = { token: env.PANEWARD_TOKEN || undefined, port, stir: undefined, end: async () => {} };
  if (!isLocal) return otherwise;
  try {
    const { id, token } = await running.token_create({ scope: "read", name: "paneward doctor" });
    const { config } = await running.config({});
    return {
      token,
      port: Number(Reflect.get(Object(config.web), "port")) || port,
      stir: (reason) => running.refresh({ reason }),
      end: async () => void (await running.token_revoke({ id })),
    };
  } catch (error) {
    if (error instanceof PanewardError && error.code === "unavailable") return otherwise;
    throw error;
  }
}

/** Follows the way of a request from outside to the daemon, and stops where it ends. */
export async function* checkOutside(outside: Outside): AsyncGenerator<Check> {
  const { origin, token, port, idleSeconds } = outside;
  const problem = originProblem(origin);
  if (problem !== undefined) {
    yield bad("address", `${origin} ${problem}`, "give what `origins` under [web] in config.toml names");
    return;
  }
  const url = new URL(origin);
  let between = betweenOf(url);
  const cure = (trouble: Trouble) => cureOf(trouble, between, port);

  const addresses = await addressesOf(url);
  yield addresses.error
    ? bad("name", `${url.hostname} has no address: ${addresses.error.message}`, cure("unreached"))
    : good("name", `${url.hostname} is ${addresses.value.join(", ")}`);
  if (addresses.error) return;

  const reached = await connected(url);
  yield connection(url, reached, cure);
  if (reached.error) return;

  const health = await asked(url, { path: "/healthz" });
  between = betweenOf(url, health.value?.headers);
  const found = daemonIn(health, between, cure);
  yield found;
  if (!found.ok) return;

  yield await checkHost(url, cure);
  yield await checkOrigin(url, cure);
  if (token === undefined) {
    yield {
      ...good("token", "none, so the rest is not checked"),
      hint: "set PANEWARD_TOKEN to one of this daemon",
      missing: true,
    };
    return;
  }
  const proof = await checkIdentity(url, token, cure);
  yield proof;
  // Nothing else gets the token.
  if (!proof.ok) return;
  yield await checkSocket(url, token, cure);
  yield await checkEvents(url, token, outside.stir, cure);
  if (idleSeconds > 0) yield await checkWaiting(url, token, idleSeconds, cure);
}
