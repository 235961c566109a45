import { errorFromBody, PanewardError, type Scope } from "@paneward/sdk";
import {
  askedUnder,
  browserText,
  fingerprintIn,
  identityPath,
  isProof,
  makeBrowserKey,
  newNonce,
  provedElsewhere,
  proxyHint,
  type ServerProof,
  signWith,
} from "@paneward/sdk/identity";
import { forgetLogin, keepLogin, keptLogin } from "./kept-login.ts";

let current: Promise<string> | undefined;

/** What requests and WebSockets carry. Opened when first needed, after the daemon has proved that it is the one. */
export function session(): Promise<string> {
  current ??= opened().catch((error) => {
    current = undefined;
    throw error;
  });
  return current;
}

/** Something else may answer from now on: the next request asks for a proof again. */
export function endSession(): void {
  current = undefined;
}

/** Logs this browser in: it makes a key of its own, and the daemon registers it. */
export async function logIn(how: { readonly link: string } | { readonly token: string }): Promise<Scope> {
  const server = fingerprintIn("link" in how ? how.link : how.token.trim());
  if (server === undefined) {
    const what = "link" in how ? "this link is not complete" : "this is not a token";
    throw new PanewardError("unauthorized", what, { hint: "make a new link: `paneward login link`" });
  }
  await proofOf(server);
  const { privateKey, publicKey } = await makeBrowserKey();
  const { login, scope } = (await post("/login", { ...how, key: publicKey })) as { login: string; scope: Scope };
  await keepLogin({ login, privateKey, server });
  endSession();
  return scope;
}

export async function logOut(): Promise<void> {
  await post("/logout", {}, await session());
  await forgetLogin();
  endSession();
}

async function opened(): Promise<string> {
  const kept = await keptLogin();
  if (!kept) {
    throw new PanewardError("unauthorized", "this browser is not logged in", { hint: "open `paneward login link`" });
  }
  const { login, privateKey, server } = kept;
  const { challenge } = await proofOf(server);
  const signature = await signWith(privateKey, browserText(askedUnder(location), login, challenge));
  const answer = await post("/session", { login, challenge, signature }).catch(async (error) => {
    if (error instanceof PanewardError && error.code === "unauthorized") await forgetLogin();
    throw error;
  });
  return (answer as { readonly session: string }).session;
}

async function proofOf(server: string): Promise<ServerProof> {
  const asked = { host: askedUnder(location), nonce: newNonce() };
  const answer = await answered(await fetch(identityPath(asked.nonce), { cache: "no-store" }).catch(unreachable));
  if (await isProof(answer, asked, server)) return answer as ServerProof;
  const under = await provedElsewhere(answer, asked, server);
  if (under !== undefined) {
    throw new PanewardError("unavailable", `requests to this address reach the daemon as requests to ${under}`, {
      hint: `nothing was sent; ${proxyHint}`,
    });
  }
  throw new PanewardError("unavailable", "another program answers at this address, not the daemon of this login", {
    hint: "nothing was sent to it; close this page, and start the daemon",
  });
}

async function post(path: string, body: object, bearer?: string): Promise<unknown> {
  const headers = {
    "content-type": "application/json",
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
  };
  return answered(await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }).catch(unreachable));
}

async function answered(answer: Response): Promise<unknown> {
  const parsed: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) throw errorFromBody(parsed, answer.status);
  return parsed;
}

function unreachable(cause: unknown): never {
  throw new PanewardError("unavailable", "the daemon does not answer", { hint: "start it: `paneward up`", cause });
}
