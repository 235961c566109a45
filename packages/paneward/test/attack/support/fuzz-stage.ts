import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Scope, scopes } from "@paneward/sdk";
import { makeBrowserKey } from "@paneward/sdk/identity";
import { ask, json } from "../../http/support/ask.ts";
import { browserAt } from "../../http/support/browser.ts";
import { initialize } from "../../mcp/support/wire.ts";
import { startDaemon, type TestDaemon } from "../../support/daemon.ts";
import type { Cleanup } from "../../support/folder.ts";
import { makeRepository } from "../../support/repository.ts";
import { until } from "../../support/until.ts";
import { type FuzzNotices, fuzzNotices } from "./fuzz-notices.ts";

/** What a fuzzer finds in the daemon it attacks. */
export interface FuzzStage {
  readonly daemon: TestDaemon;
  readonly root: string;
  /** Ids and names of what exists and may be read. */
  readonly readable: readonly string[];
  /** `$TMUX` and the pane of a running program. */
  readonly pane: { readonly tmux: string; readonly pane: string };
  /** A fresh token now and then: the rate limit of one would refuse almost everything. */
  token(scope: Scope): Promise<string>;
  readonly team: { readonly token: string; readonly id: string };
  /** A session of MCP over HTTP on the Unix socket. */
  readonly mcpSession: string;
  /** A browser that is logged in, a new one now and then. */
  browser(): Promise<{ readonly headers: { readonly authorization: string } }>;
  /** A new one each time. */
  leaver: FuzzStage["browser"];
  /** What logs one browser in. */
  guest(): Promise<{ readonly key: string; readonly link: string }>;
  /** What opens a session for a browser that is logged in. */
  proof(): Promise<{ readonly login: string; readonly challenge: string; readonly signature: string }>;
  /** A pairing that has begun, and the ticket of a device that asked for another one. */
  readonly notices: FuzzNotices;
  pairing(): Promise<{ readonly secret: string; readonly code: string; readonly ticket: string }>;
}

/** Where a proxy could pass requests on from. */
export const foreignOrigin = "https://box.test";

/** A daemon with a program that reads, one that asks, one that ended, and a task. */
export async function fuzzStage(t: Cleanup): Promise<FuzzStage> {
  const collector = pathToFileURL(join(import.meta.dirname, "collect-garbage.ts")).href;
  const options = { NODE_OPTIONS: `--expose-gc --import=${collector}` };
  const notices = await fuzzNotices(t);
  const config = `[agents.fuzz]\ncmd = ["cat"]\n[web]\norigins = ["${foreignOrigin}"]\n${notices.config}`;
  const daemon = await startDaemon(t, config, options);
  const { client } = daemon;
  const { root } = makeRepository(daemon);
  const run = (name: string, ...argv: readonly string[]) =>
    client.run({ name, argv: [...argv], cwd: root, keep: true, columns: 80, rows: 24 });
  const reads = await run("reads", "sh", "-c", "seq 500; exec cat");
  const asks = await run("asks", "sh", "-c", 'printf "Deploy? [y/N] "; read answer; exec sleep 3600');
  const ended = await run("ended", "true");
  const task = await client.new({ root, text: "Fuzz", agent: "fuzz", draft: true });
  await client.wait({ ids: [ended.id], for: [{ kind: "exited" }], timeout: 60 });
  await client.wait({ ids: [asks.id], for: [{ kind: "needs_input" }], timeout: 60 });
  const socket = daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "";
  const [line = ""] = await until("the pane is listed", () =>
    execFileSync("tmux", ["-S", socket, "list-panes", "-a", "-F", "#{pid} #{pane_id} #{session_name}"], {
      encoding: "utf8",
    })
      .split("\n")
      .filter((one) => one.includes("reads")),
  );
  const [pid, pane = ""] = line.split(" ");
  const opened = await client.team_open({ team: "fuzz", root });
  return {
    daemon,
    root,
    readable: [reads.id, asks.id, ended.id, "reads", "asks", "ended", String(task.id), task.slug],
    pane: { tmux: `${socket},${pid},0`, pane },
    token: tokens(daemon),
    team: { token: opened.token, id: opened.teamId },
    notices,
    mcpSession: await openSession(daemon),
    ...(await browsers(daemon)),
  };
}

async function browsers({
  client,
  port,
}: TestDaemon): Promise<Pick<FuzzStage, "browser" | "leaver" | "guest" | "proof" | "pairing">> {
  const page = await browserAt(port);
  const { publicKey } = await makeBrowserKey();
  const link = async () => (await client.login_link({ scope: "send" })).url.split("#/login/")[1] ?? "";
  const entered = fresh(async () => page.enter({ link: await link() }), 60);
  const started = fresh(async () => {
    const { url, code } = await client.pair_start({});
    const secret = (url.split("#/pair/")[1] ?? "").split("_")[0] ?? "";
    const asked = await ask(port, json("POST", "/pair", { code, key: publicKey }));
    const { ticket = "" } = JSON.parse(asked.text) as { ticket?: string };
    const next = await client.pair_start({});
    return { secret, code: next.code, ticket };
  }, 200);
  return {
    browser: async () => ({ headers: (await entered()).headers }),
    leaver: async () => page.enter({ link: await link() }),
    guest: async () => ({ key: publicKey, link: await link() }),
    proof: async () => {
      const { id: login } = await entered();
      const challenge = await page.challenge();
      return { login, challenge, signature: await page.sign(login, challenge) };
    },
    pairing: started,
  };
}

/** The same value for so many uses. */
function fresh<Value>(make: () => Promise<Value>, uses: number): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  let left = 0;
  return () => {
    if (!value || left-- <= 0) {
      value = make();
      left = uses;
    }
    return value;
  };
}

async function openSession({ env }: TestDaemon): Promise<string> {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const body = JSON.stringify(initialize);
  const answer = await ask(env.PANEWARD_SOCKET_PATH ?? "", { method: "POST", path: "/mcp", headers, body });
  return String(answer.headers["mcp-session-id"]);
}

const usesOfOne = 150;

function tokens({ client }: TestDaemon): FuzzStage["token"] {
  const held = new Map<Scope, { id: string; token: Promise<string>; left: number }>();
  const retired = new Map<Scope, string>();
  const made = async (scope: Scope) => client.token_create({ scope, name: "attackers-token" });
  return async (scope) => {
    const one = held.get(scope);
    if (one && one.left-- > 0) return one.token;
    const making = made(scope);
    const next = { id: "", token: making.then(({ token }) => token), left: usesOfOne };
    held.set(scope, next);
    next.id = (await making).id;
    // Requests with the last one may be pending, and a revocation would end them: the one before it is revoked.
    const old = retired.get(scope);
    if (one) retired.set(scope, one.id);
    if (old) await client.token_revoke({ id: old });
    return next.token;
  };
}

export const anyScope: readonly Scope[] = scopes;

/** A folder that does not exist: what is done there is refused. */
export function nowhere({ daemon }: FuzzStage): string {
  return join(daemon.folder, "nowhere");
}
