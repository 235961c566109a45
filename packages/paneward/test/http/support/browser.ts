import { browserText, makeBrowserKey, signWith } from "@paneward/sdk/identity";
import { ask, json, type RawResponse } from "./ask.ts";

/** What a page of the dashboard does to log in and to open a session, step by step. */
export async function browserAt(port: number) {
  const host = `127.0.0.1:${port}`;
  const { privateKey, publicKey } = await makeBrowserKey();
  const challenge = async (): Promise<string> =>
    JSON.parse((await ask(port, { path: `/identity?nonce=${"0".repeat(64)}`, headers: { host } })).text).challenge;
  const logIn = (how: object): Promise<RawResponse> => ask(port, json("POST", "/login", { ...how, key: publicKey }));
  const sign = (login: string, signed: string, at = host) => signWith(privateKey, browserText(at, login, signed));
  const open = async (login: string) => {
    const fresh = await challenge();
    const signature = await sign(login, fresh);
    const answer = await ask(port, json("POST", "/session", { login, challenge: fresh, signature }));
    return { answer, session: JSON.parse(answer.text).session as string };
  };
  return {
    ...{ challenge, logIn, sign, open },
    /** The headers of a browser that has just logged in, and its login. */
    async enter(how: object): Promise<{ readonly headers: { readonly authorization: string }; readonly id: string }> {
      const { login } = JSON.parse((await logIn(how)).text) as { login: string };
      return { headers: { authorization: `Bearer ${(await open(login)).session}` }, id: login };
    },
  };
}
