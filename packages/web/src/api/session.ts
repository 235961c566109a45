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
import { forgetLogin, type KeptLogin, keepLogin, keptLogin } from "./kept-login.ts";

let bearer: string | undefined;
let isProved = false;
let opening: Promise<string> | undefined;
let lockedBy: PanewardError | undefined;

/** What requests and WebSockets carry. Opened when first needed, after the daemon has proved that it is the one. */
export function session(): Promise<string> {
  opening ??= ready().finally(() => {
    opening = undefined;
  });
  return opening;
}

/** The daemon does not know the session any more: the next request opens another one. */
export function endSession(): void {
  bearer = undefined;
}

/** Something else may answer from now on: the next request asks for a proof again. */
export function doubtServer(): void {
  isProved = false;
}

/** Whether only the passkey is missing, and a person has to ask for it: browsers show it when somebody pressed a button. */
export function isLocked(): boolean {
  return lockedBy !== undefined;
}

export async function unlock(): Promise<void> {
  lockedBy = undefined;
  await session();
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
  await startOver({ login, privateKey, server });
  return scope;
}

/** From now on this browser is that login. */
export async function startOver(login: KeptLogin): Promise<void> {
  await keepLogin(login);
  lockedBy = undefined;
  endSession();
}

/** One more passkey for this login; returns how many there are. */
export async function addPasskey(): Promise<number> {
  const { makePasskey } = await import("./passkey.ts");
  const options = (await post("/passkeys/options", {}, await ownHeader())) as object;
  const answer = await post("/passkeys", { response: await makePasskey(options) }, await ownHeader());
  return (answer as { readonly passkeys: number }).passkeys;
}

async function ownHeader(): Promise<Readonly<Record<string, string>>> {
  return { authorization: `Bearer ${await session()}` };
}

export async function logOut(): Promise<void> {
  await post("/logout", {}, await ownHeader());
  await forgetLogin();
  endSession();
}

async function ready(): Promise<string> {
  if (bearer !== undefined && isProved) return bearer;
  if (lockedBy) throw lockedBy;
  const kept = await keptLogin();
  if (!kept) throw notLoggedIn();
  const { challenge } = await proofOf(kept.server);
  isProved = true;
  bearer ??= await opened(kept, challenge);
  return bearer;
}

async function opened({ login, privateKey }: KeptLogin, challenge: string): Promise<string> {
  const signature = await signWith(privateKey, browserText(askedUnder(location), login, challenge));
  const answer = await post("/session", { login, challenge, signature }).catch(async (error) => {
    if (error instanceof PanewardError && error.code === "unauthorized") await forgetLogin();
    throw error;
  });
  const { session, passkey } = answer as { readonly session?: string; readonly passkey?: object };
  return session ?? openedByPasskey(passkey ?? {});
}

/** The server at this address is the daemon of this browser's login. */
export async function requireServer(): Promise<void> {
  const kept = await keptLogin();
  if (!kept) throw notLoggedIn();
  await proofOf(kept.server);
}

function notLoggedIn(): PanewardError {
  return new PanewardError("unauthorized", "this browser is not logged in", { hint: "open `paneward login link`" });
}

async function openedByPasskey(options: object): Promise<string> {
  try {
    const { usePasskey } = await import("./passkey.ts");
    const answer = await post("/session/passkey", { response: await usePasskey(options) });
    return (answer as { readonly session: string }).session;
  } catch (error) {
    lockedBy = new PanewardError("unauthorized", (error as Error).message, {
      hint: error instanceof PanewardError ? error.hint : "use the passkey of this device",
      cause: error,
    });
    throw lockedBy;
  }
}

export async function proofOf(server: string): Promise<ServerProof> {
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

export async function post(path: string, body: object, more: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const headers = { "content-type": "application/json", ...more };
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
