import type { Random } from "../../../../tmux/test/support/random.ts";

export interface Smuggled {
  readonly bytes: Buffer;
  /** Some Host or Origin in it is not the one of the site. */
  readonly isForeign: boolean;
  /** Nothing is odd: it has to be answered. */
  readonly isPlain: boolean;
}

export interface Aim {
  /** Of the site. */
  readonly host: string;
  readonly origin: string;
  /** Of the attacker; no right but to read. */
  readonly token: string;
}

/** The terminal that an attacker asks for, and nobody else. */
export const wanted = "evil";

/** A request as proxies and servers read it differently: who is asked, by whom, and where it ends. */
export function smuggled(random: Random, { host, origin, token }: Aim): Smuggled {
  const { pick, below } = random;
  const often = <Value>(usual: Value, others: readonly Value[], odds = 5) => (below(odds) > 0 ? usual : pick(others));
  const foreignHosts = ["evil.test", `${host}.evil.test`, "127.0.0.1", "localhost", "paneward", "", `${host}:1`, "a b"];
  const hosts = often([host], [...foreignHosts.map((one) => [one]), [host, "evil.test"], ["evil.test", host], []], 4);
  const origins = often<readonly string[]>(
    pick([[], [origin]]),
    [["https://evil.test"], [origin, "https://evil.test"], ["null"], [`${origin}/`], [origin.replace("https", "http")]],
    4,
  );
  const inner = `GET /api/terminals/${wanted}/output HTTP/1.1${pick(["\r\n", "\n"])}Host: ${host}${pick(["\r\nX: ", "\r\n\r\n"])}`;
  const framing = often<{ readonly lines: readonly string[]; readonly body: string } | undefined>(
    undefined,
    framings(inner).map(([lines, body]) => ({ lines, body })),
    2,
  );
  const path = `/api/terminals/${wanted}/output`;
  const target = often(path, [
    `http://evil.test${path}`,
    `//evil.test${path}`,
    `https://${host}@evil.test/`,
    `/api/..${path}`,
    `${path} HTTP/1.1\r\nHost: ${host}\r\nX:`,
    "*",
    "evil.test:443",
  ]);
  const claims = often<readonly string[]>(
    [],
    [
      [`X-Forwarded-Host: ${host}`, "X-Forwarded-Proto: https", "X-Forwarded-For: 127.0.0.1"],
      [`Forwarded: for=127.0.0.1;host=${host};proto=https`],
      ["X-Real-IP: 127.0.0.1", `X-Original-URL: /api/tokens`, `X-HTTP-Method-Override: POST`],
      ["Tailscale-User-Login: owner@example.org", "Cf-Access-Authenticated-User-Email: owner@example.org"],
      ["Connection: close, Host, Origin, Authorization", "Via: 1.1 localhost"],
      ["paneward_direct: 1", "Connection: paneward_direct", "X-Paneward-Door: cli"],
    ],
    2,
  );
  const odd = often(
    (line: string) => line,
    [
      (line) => line.replace(":", " :"),
      (line) => line.replace(": ", ":\r\n "),
      (line) => line.replace(": ", ":\t"),
      (line) => `${line}\u0000`,
      (line) => line.replace(": ", ":\u000b"),
      (line) => ` ${line}`,
      (line) => line.toUpperCase(),
    ],
  );
  const authorization = pick([[], [`Authorization: Bearer ${token}`]]);
  const method = often("GET", ["POST", "get", "CONNECT", "TRACE", "PUT", "HEAD"], 8);
  const end = often("\r\n", ["\n", "\r", "\r\r\n"], 8);
  const lines = [
    `${method} ${target} HTTP/${often("1.1", ["1.0", "0.9", "2.0"], 10)}`,
    ...hosts.map((one) => odd(`Host: ${one}`)),
    ...origins.map((one) => odd(`Origin: ${one}`)),
    ...authorization,
    ...claims,
    ...(framing?.lines ?? []),
  ];
  const isOdd = odd("A: b") !== "A: b" || end !== "\r\n" || framing !== undefined;
  // One target brings the site's own Host along. Caddy names the daemon itself in place of an empty Host, which no browser
  // sends.
  const isNameless = hosts.length === 0 && !target.includes("Host:");
  const isForeign =
    isNameless ||
    hosts.some((one) => one !== host && one !== "") ||
    hosts.length > 1 ||
    origins.some((one) => one !== origin);
  const isAlone = hosts[0] === host && !claims.some((line) => line.startsWith("Connection"));
  const isPlain = isAlone && !isForeign && !isOdd && lines[0] === `GET ${path} HTTP/1.1` && authorization.length > 0;
  return { bytes: Buffer.from(`${lines.join(end)}${end}${end}${framing?.body ?? ""}`, "latin1"), isForeign, isPlain };
}

/** Lengths that two readers understand differently, around a second request. */
function framings(inner: string): readonly (readonly [lines: readonly string[], body: string])[] {
  const chunked = "Transfer-Encoding: chunked";
  const length = `Content-Length: ${inner.length}`;
  const asChunk = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
  return [
    [[length], inner],
    [["Content-Length: 0"], inner],
    [[`Content-Length: ${inner.length + 5}`, chunked], `0\r\n\r\n${inner}`],
    [[chunked, "Content-Length: 4"], asChunk],
    [["Content-Length: 4", "Transfer-Encoding : chunked"], asChunk],
    [["Content-Length: 5", "Transfer-Encoding:\tchunked"], `0\r\n\r\n${inner}`],
    [["Transfer-Encoding: xchunked", "Content-Length: 5"], `0\r\n\r\n${inner}`],
    [["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], `0\r\n\r\n${inner}`],
    [["Transfer-Encoding: identity, chunked"], `0\r\n\r\n${inner}`],
    [["Transfer-Encoding: chunked, chunked"], `0\r\n\r\n${inner}`],
    [["Transfer-Encoding:\r\n chunked", length], `0\r\n\r\n${inner}`],
    [["X: y\nTransfer-Encoding: chunked", "Content-Length: 5"], `0\r\n\r\n${inner}`],
    [["X: y\rTransfer-Encoding: chunked", "Content-Length: 5"], `0\r\n\r\n${inner}`],
    [["Content-Length: 0", length], inner],
    [[`Content-Length: 0, ${inner.length}`], inner],
    [["Content-Length: +0"], inner],
    [["Content-Length: 0x5"], `0\r\n\r\n${inner}`],
    [["Content-Length : 0"], inner],
    [[chunked], `0\n\n${inner}`],
    [[chunked], `0;a=b\r\n\r\n${inner}`],
    [[chunked], `0\r\nHost: evil.test\r\nOrigin: https://evil.test\r\n\r\n${inner}`],
    [[chunked], `ffffffffffffffff0\r\n\r\n${inner}`],
    [[chunked], `2\r\nabc\r\n0\r\n\r\n${inner}`],
    [["Expect: 100-continue", length], inner],
    [["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 777"], inner],
    [["Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"], inner],
    [["Upgrade: paneward-calls", "Connection: Upgrade"], '{"id":1,"call":"read","input":{"id":"evil"}}\n'],
  ];
}
