import type { Random } from "../../../../tmux/test/support/random.ts";
import type { FuzzCase } from "./fuzz-cases.ts";
import { anyScope, type FuzzStage, foreignOrigin } from "./fuzz-stage.ts";
import { hostileValue, inheritedNames, jsonOf, mutated } from "./hostile.ts";
import type { WireRequest, Wires } from "./wires.ts";

type Headers = Readonly<Record<string, string>>;

/** A good request to a door that is no operation. */
interface DoorRequest {
  readonly body?: unknown;
  readonly query?: string;
  readonly headers?: Headers;
}

type Make = (random: Random, stage: FuzzStage) => DoorRequest | Promise<DoorRequest>;

const nothing: Make = () => ({});
const withSession: Make = async (_random, stage) => ({ headers: (await stage.browser()).headers });
const withToken: Make = async (random, stage) => ({
  headers: { authorization: `Bearer ${await stage.token(random.pick(anyScope))}` },
});
const withTicket: Make = async (random, stage) => ({
  body: { response: passkeyOf(random) },
  headers: { "x-paneward-ticket": random.below(2) === 0 ? (await stage.pairing()).ticket : "x".repeat(43) },
});

/** Every route that is no operation and not below /v1, as the app names it (`fuzz-grammar.test.ts`). */
export const doorRoutes: Readonly<Record<string, Make>> = {
  "GET /healthz": nothing,
  "GET /metrics": withToken,
  "GET /api/openapi.json": withToken,
  "GET /api/events/stream": async (random, stage) => ({
    ...(await withToken(random, stage)),
    query: `after=${random.pick(["0", "-1", "1e9", "x", "9".repeat(30)])}&types=${random.pick(["", "x", ...inheritedNames])}`,
  }),
  "GET /identity": (random) => ({
    query: `nonce=${random.pick(["0".repeat(32), "f".repeat(128), "0", "G".repeat(64)])}`,
  }),
  "POST /tap": (random, { notices }) => ({
    body: { tap: random.pick([...notices.taps(), "x".repeat(32), "_".repeat(64), random.pick(inheritedNames)]) },
  }),
  "POST /login": async (_random, stage) => {
    const { key, link } = await stage.guest();
    return { body: { link, key } };
  },
  "POST /session": async (random, stage) => {
    const { login, challenge, signature } = await stage.proof();
    return { body: { login: random.pick([login, "00000000"]), challenge, signature } };
  },
  "POST /session/passkey": (random) => ({ body: { response: passkeyOf(random) } }),
  "POST /pair": async (random, stage) => {
    const [{ key }, { secret, code }] = [await stage.guest(), await stage.pairing()];
    return { body: random.below(2) === 0 ? { key, link: secret } : { key, code } };
  },
  // With a ticket that is good it would wait for a person.
  "POST /pair/wait": (random) => ({
    headers: { "x-paneward-ticket": random.pick(["", "x".repeat(43), ...inheritedNames]) },
  }),
  "POST /pair/passkey": withTicket,
  "POST /passkeys/options": withSession,
  "POST /passkeys": async (random, stage) => ({
    ...(await withSession(random, stage)),
    body: { response: passkeyOf(random) },
  }),
  // What else a browser has under way ends with its login, so this one is nobody else's.
  "POST /logout": async (_random, stage) => ({ headers: (await stage.leaver()).headers }),
  ...Object.fromEntries(
    ["/", "/sw.js", "/manifest.webmanifest", "/icon.svg", "/icon-192.png", "/icon-512.png"]
      .concat(["/icon-maskable-512.png", "/icon-apple-180.png", "/badge-96.png", "/assets/:file"])
      .map((path) => [`GET ${path}`, nothing]),
  ),
};

/** What a browser sends for a passkey, of which nothing was signed. */
function passkeyOf(random: Random): object {
  const client = { type: "webauthn.get", challenge: random.pick(["", "x".repeat(43)]), origin: foreignOrigin };
  const bytes = (length: number) => Buffer.alloc(length, random.below(256)).toString("base64url");
  return {
    ...{ id: bytes(16), rawId: bytes(16), type: "public-key", clientExtensionResults: {} },
    response: {
      clientDataJSON: Buffer.from(JSON.stringify(mutated(random, client, 6)) ?? "").toString("base64url"),
      ...{ attestationObject: bytes(random.below(300)), authenticatorData: bytes(37), signature: bytes(70) },
      transports: ["internal"],
    },
  };
}

/** A request to one of these doors, as it should be or changed, from this machine or as if through a proxy. */
export async function doorRequest(random: Random, stage: FuzzStage, wires: Wires): Promise<FuzzCase> {
  const route = random.pick(Object.keys(doorRoutes));
  const [method = "", pattern = ""] = route.split(" ");
  const good = (await doorRoutes[route]?.(random, stage)) ?? {};
  const isForeign = random.below(2) === 0;
  const from = Array.from({ length: 4 }, () => random.below(256)).join(".");
  // Wrong tries are counted by address: from one address, most would be refused for their number.
  const site: Headers = isForeign
    ? { host: new URL(foreignOrigin).host, "x-forwarded-for": from }
    : { host: `127.0.0.1:${stage.daemon.port}` };
  const odd: Headers = random.below(12) === 0 ? { "x-paneward-ticket": random.pick(inheritedNames) } : {};
  const given = good.body === undefined && random.below(6) > 0 ? undefined : mutated(random, good.body ?? {}, 16);
  const path = pattern.replace(":file", () => random.pick(["..", "%2e%2e%2fx", "index.js", "x".repeat(3_000), "%00"]));
  const query =
    random.below(12) === 0
      ? encodeURIComponent(
          String(JSON.stringify(hostileValue(random)))
            .toWellFormed()
            .slice(0, 3_000),
        )
      : good.query;
  const headers = { ...site, "content-type": "application/json", ...good.headers, ...odd };
  const sent: WireRequest = {
    ...{ to: "tcp", method, path: query === undefined ? path : `${path}?${query}`, headers },
    ...(given === undefined ? {} : { body: jsonOf(random, given) }),
  };
  const shown = { ...sent, body: sent.body?.toString().slice(0, 2_000) };
  // This one has no end; a client that half-closes its connection gets what there is.
  if (pattern === "/api/events/stream") {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const bytes = Buffer.from(`GET ${sent.path} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
    return { door: "raw tcp", sent: shown, run: () => wires.raw("tcp", bytes) };
  }
  return { door: "door", sent: shown, run: () => wires.ask(sent) };
}
