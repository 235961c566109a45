import { createClient, errorFromBody, PanewardError, type Scope } from "@paneward/sdk";
import { pageTransport } from "./transport.ts";

export const client = createClient(pageTransport());

/** Logs this browser in; the daemon sets the cookie. */
export async function logIn(how: { readonly link: string } | { readonly token: string }): Promise<Scope> {
  const answer = await post("/login", how);
  return (answer as { readonly scope: Scope }).scope;
}

export async function logOut(): Promise<void> {
  await post("/logout", {});
}

async function post(path: string, body: object): Promise<unknown> {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }).catch((cause) => {
    throw new PanewardError("unavailable", "the daemon does not answer", { hint: "start it: `paneward up`", cause });
  });
  const parsed: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) throw errorFromBody(parsed, answer.status);
  return parsed;
}
