import { randomBytes } from "node:crypto";
import type { ErrorBody, Output } from "@paneward/sdk";
import { askedUnder, fingerprintIn, identityPath, isProof, newNonce } from "@paneward/sdk/identity";
import type { Between, Trouble } from "./cures.ts";
import { type Answer, asked, type connected, type Outcome, streamed } from "./probe.ts";

export type Check = Output<"doctor">["checks"][number];

export type Cure = (trouble: Trouble) => string;

export function connection(
  url: URL,
  { value: certificate, error }: Awaited<ReturnType<typeof connected>>,
  cure: Cure,
): Check {
  const name = url.protocol === "https:" ? "TLS" : "connection";
  if (!error) {
    const detail = certificate
      ? `the certificate is valid until ${certificate.valid_to}`
      : `${url.host} accepts connections`;
    return good(name, detail);
  }
  const code = "code" in error ? String(error.code) : "";
  if (/^E(CONNREFUSED|HOSTUNREACH|NETUNREACH|TIMEDOUT|CONNRESET)$/.test(code))
    return bad(name, `nothing accepts connections at ${url.host}: ${error.message || code}`, cure("unreached"));
  if (/WRONG_VERSION|PACKET_LENGTH|EPROTO/.test(code))
    return bad(name, `what answers at ${url.host} speaks no TLS: ${code}`, cure("unreached"));
  const own = /SELF_SIGNED|UNABLE_TO|UNTRUSTED/.test(code)
    ? "; if it is your own, set NODE_EXTRA_CA_CERTS to its authority"
    : "";
  return bad(name, `the certificate is not accepted: ${error.message || code}`, `${cure("untrusted")}${own}`);
}

export function daemonIn({ value: answer, error }: Outcome<Answer>, between: Between, cure: Cure): Check {
  const name = "daemon";
  if (error) return bad(name, `no answer: ${error.message}`, cure("nothing behind"));
  const { status, headers } = answer;
  const version = headers["x-paneward-version"];
  if (version === undefined)
    return bad(
      name,
      notPaneward(answer, between),
      status < 400 ? "remove what answers in between" : cure("nothing behind"),
    );
  const refused = errorIn(answer);
  if (refused) return bad(name, `version ${version} answers, and refuses: ${refused.message}`, refused.hint);
  return good(name, `version ${version} answers${between === "unknown" ? "" : `, through ${between}`}`);
}

function notPaneward({ status, headers }: Answer, between: Between): string {
  const who = between === "unknown" ? "something else" : between;
  if (headers.location !== undefined) return `${who} answers with status ${status}, and leads to ${headers.location}`;
  const why = status === 502 || status === 504 ? ": it does not reach the daemon" : ", not the daemon";
  return `${who} answers with status ${status}${why}`;
}

export async function checkHost(url: URL, cure: Cure): Promise<Check> {
  const name = "Host";
  const answer = await asked(url, { path: identityPath(newNonce()) });
  const under = field(answer, "under");
  const wanted = askedUnder(url);
  if (under !== wanted)
    return bad(name, `the daemon is asked for ${under ?? "nothing it answers"}, not for ${wanted}`, cure("host"));
  const foreign = await asked(url, { path: "/healthz", headers: { host: invalid } });
  const isAnswered = foreign.value?.status === 200 && foreign.value.headers["x-paneward-version"] !== undefined;
  if (isAnswered)
    return bad(
      name,
      "requests for every other name are answered too: any page can use that (DNS rebinding)",
      cure("host"),
    );
  return good(name, "arrives as it was sent; other names are refused");
}

export async function checkOrigin(url: URL, cure: Cure): Promise<Check> {
  const name = "Origin";
  const ask = (origin: string) => asked(url, { path: "/healthz", headers: { origin } });
  const own = await ask(url.origin);
  if (own.value?.status !== 200) {
    const refused = own.value && errorIn(own.value);
    return bad(name, refused?.message ?? "a page of this address gets no answer", refused?.hint ?? cure("origin"));
  }
  const foreign = await ask(`https://${invalid}`);
  if (foreign.value?.status === 200)
    return bad(name, "pages of every other site are answered: the Origin does not arrive", cure("origin"));
  return good(name, "arrives as it was sent; other sites are refused");
}

export async function checkIdentity(url: URL, token: string, cure: Cure): Promise<Check> {
  const name = "identity";
  const fingerprint = fingerprintIn(token);
  if (fingerprint === undefined)
    return bad(name, "PANEWARD_TOKEN is not a token", "create one: `paneward token create --scope read`");
  const nonce = newNonce();
  const answer = await asked(url, { path: identityPath(nonce) });
  if (await isProof(json(answer), { host: askedUnder(url), nonce }, fingerprint))
    return good(name, "it is the daemon of this token");
  // It proves itself for the address that it was asked for.
  if (field(answer, "under") !== askedUnder(url))
    return bad(name, "cannot be proved while Host arrives as another one; the token was not sent", cure("host"));
  return bad(
    name,
    "it is not the daemon of this token; the token was not sent",
    "let the proxy ask for 127.0.0.1, not for localhost",
  );
}

export async function checkSocket(url: URL, token: string, cure: Cure): Promise<Check> {
  const name = "WebSocket";
  const { value, error } = await asked(url, {
    path: "/api/events/ws",
    headers: {
      ...{ connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13", origin: url.origin },
      ...{ "sec-websocket-key": randomBytes(16).toString("base64"), authorization: `Bearer ${token}` },
    },
  });
  if (value?.status === 101) return good(name, "opens, and its first message arrives");
  const refused = value && errorIn(value);
  return bad(name, refused?.message ?? error?.message ?? `answered with status ${value?.status}`, cure("upgrade"));
}

export async function checkEvents(
  url: URL,
  token: string,
  stir: ((reason: string) => Promise<unknown>) | undefined,
  cure: Cure,
): Promise<Check> {
  const name = "events";
  const pieces: string[] = [];
  const waiting = new Set<() => void>();
  const stream = streamed(
    url,
    { path: "/api/events/stream", headers: { authorization: `Bearer ${token}` } },
    (text) => {
      pieces.push(text);
      for (const look of waiting) look();
    },
  );
  const arrives = (what: string) =>
    new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), heldBackMs);
      const look = () => {
        if (!pieces.join("").includes(what)) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(true);
      };
      waiting.add(look);
      look();
    });
  try {
    // nginx keeps even the head of a response back until it has a buffer full.
    const began = await arrives("event: heartbeat");
    if (!began) {
      const { value, error } = await Promise.race([
        stream.opened,
        Promise.resolve({ value: undefined, error: undefined }),
      ]);
      const status = value && value.status !== 200 ? `status ${value.status}` : error?.message;
      return bad(
        name,
        status ?? `nothing arrives within ${heldBackMs / 1_000} s: something holds it back`,
        cure("held back"),
      );
    }
    if (!stir) return good(name, "arrive at once");
    const reason = `paneward doctor ${randomBytes(4).toString("hex")}`;
    const sent = performance.now();
    await stir(reason);
    if (!(await arrives(reason)))
      return bad(name, `an event does not arrive within ${heldBackMs / 1_000} s`, cure("held back"));
    return good(name, `arrive after ${Math.round(performance.now() - sent)} ms`);
  } finally {
    stream.close();
  }
}

export async function checkWaiting(url: URL, token: string, seconds: number, cure: Cure): Promise<Check> {
  const name = "waiting";
  const began = performance.now();
  const { value, error } = await asked(url, {
    path: `/api/ping?wait=${seconds}`,
    headers: { authorization: `Bearer ${token}` },
    patienceMs: (seconds + 10) * 1_000,
  });
  if (value?.status === 200) return good(name, `a request may wait ${seconds} s for its answer`);
  const after = ((performance.now() - began) / 1_000).toFixed(1);
  return bad(
    name,
    `a request that waits is cut after ${after} s: ${error?.message ?? `status ${value?.status}`}`,
    cure("cut"),
  );
}

const invalid = "paneward-doctor.invalid";
const heldBackMs = 3_000;

export function good(name: string, detail: string): Check {
  return { name, ok: true, detail };
}

export function bad(name: string, detail: string, hint: string): Check {
  return { name, ok: false, detail, hint };
}

function errorIn({ text }: Answer): ErrorBody["error"] | undefined {
  try {
    return (JSON.parse(text) as Partial<ErrorBody>).error;
  } catch {
    return undefined;
  }
}

function json({ value }: Outcome<Answer>): unknown {
  try {
    return JSON.parse(value?.text ?? "");
  } catch {
    return undefined;
  }
}

function field(answer: Outcome<Answer>, name: string): string | undefined {
  const found: unknown = Reflect.get(Object(json(answer)), name);
  return typeof found === "string" ? found : undefined;
}
