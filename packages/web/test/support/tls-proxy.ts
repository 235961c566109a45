import { execFile } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { type IncomingMessage, type RequestOptions, request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterwards, type Cleanup, temporaryFolder } from "./product.ts";

/** What stands before a daemon on an address that others can reach: TLS, and the client's address in X-Forwarded-For. */
export interface TlsProxy {
  readonly origin: string;
  /** Another page on the same machine. */
  readonly foreign: string;
  /** What a browser is started with to know the names and the certificate. */
  readonly flags: readonly string[];
  readonly certificate: string;
  /** Passes everything on to this port. */
  to(port: number): void;
}

const names = ["box.test", "evil.test"] as const;
/** Without another one in `x-test-address`, clients are here. */
const phoneAddress = "100.64.0.7";

export async function tlsProxy(t: Cleanup): Promise<TlsProxy> {
  const { key, cert } = await certificate(t);
  let port = 0;
  const onward = ({ method = "", url = "", headers }: IncomingMessage): RequestOptions => {
    const { "x-test-address": from = phoneAddress, ...kept } = headers;
    return { host: "127.0.0.1", port, method, path: url, headers: { ...kept, "x-forwarded-for": String(from) } };
  };
  const server = createServer({ key, cert }, (asked, answer) => {
    const passed = request(onward(asked), (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    asked.pipe(passed);
  });
  server.on("upgrade", (asked, client, head) => {
    const passed = request(onward(asked));
    passed.on("upgrade", ({ rawHeaders }, daemon, first) => {
      const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []));
      client.write(["HTTP/1.1 101 Switching Protocols", ...lines, "", ""].join("\r\n"));
      daemon.write(head);
      client.write(first);
      for (const [one, other] of [
        [client, daemon],
        [daemon, client],
      ] as const) {
        one.pipe(other);
        one.on("error", () => other.destroy());
        one.on("close", () => other.destroy());
      }
    });
    passed.on("response", () => client.destroy());
    passed.on("error", () => client.destroy());
    passed.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterwards(t, () => {
    server.close();
    server.closeAllConnections();
  });
  const { port: own } = server.address() as AddressInfo;
  const spki = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });
  return {
    origin: `https://${names[0]}:${own}`,
    foreign: `https://${names[1]}:${own}`,
    flags: [
      `--host-resolver-rules=${names.map((name) => `MAP ${name} 127.0.0.1`).join(",")}`,
      `--ignore-certificate-errors-spki-list=${createHash("sha256").update(spki).digest("base64")}`,
    ],
    certificate: cert,
    to(daemon) {
      port = daemon;
    },
  };
}

async function certificate(t: Cleanup): Promise<{ readonly key: string; readonly cert: string }> {
  const folder = await temporaryFolder(t);
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const alt = `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`;
  const how = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  await promisify(execFile)("openssl", [
    "req",
    ...how,
    "-subj",
    "/CN=box.test",
    "-addext",
    alt,
    "-keyout",
    key,
    "-out",
    cert,
  ]);
  return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
}
