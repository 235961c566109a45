import { execFileSync } from "node:child_process";
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterwards, type Cleanup } from "../../support/folder.ts";

export interface Pushed {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A push service of the test's own on loopback, with a certificate that only the test trusts. */
export async function pushService(t: Cleanup, folder: string) {
  const [key, certificate] = [join(folder, "push-service.key"), join(folder, "push-service.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  execFileSync("openssl", [...made, ...subject, "-keyout", key, "-out", certificate], { stdio: "ignore" });
  const pushed: Pushed[] = [];
  const answers: { status: number; headers?: Record<string, string> }[] = [];
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, async (asked, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk);
    pushed.push({ path: asked.url ?? "", headers: asked.headers, body: Buffer.concat(chunks) });
    const { status, headers = {} } = answers.shift() ?? { status: 201 };
    answer.writeHead(status, headers).end(status === 201 ? "" : "why");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterwards(t, () => {
    server.close();
    server.closeAllConnections();
  });
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  return { host, origin: `https://${host}`, certificate, pushed, answers };
}

/** What a browser makes when it subscribes, and how it reads what it is sent. */
export function browserSubscription(endpoint: string) {
  const browser = createECDH("prime256v1");
  browser.generateKeys();
  const secret = randomBytes(16);
  return {
    address: {
      endpoint,
      p256dh: browser.getPublicKey().toString("base64url"),
      auth: secret.toString("base64url"),
    },
    /** Throws if it was not encrypted for this browser. */
    read(body: Buffer): string {
      const [salt, server] = [body.subarray(0, 16), body.subarray(21, 21 + (body[20] ?? 0))];
      const derive = (from: Buffer, by: Buffer, info: Buffer | string, bytes: number) =>
        Buffer.from(hkdfSync("sha256", from, by, info, bytes));
      const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser.getPublicKey(), server]);
      const shared = derive(browser.computeSecret(server), secret, info, 32);
      const key = derive(shared, salt, "Content-Encoding: aes128gcm\0", 16);
      const decipher = createDecipheriv("aes-128-gcm", key, derive(shared, salt, "Content-Encoding: nonce\0", 12));
      decipher.setAuthTag(body.subarray(-16));
      const plain = Buffer.concat([decipher.update(body.subarray(21 + server.length, -16)), decipher.final()]);
      return plain.subarray(0, plain.lastIndexOf(2)).toString();
    },
  };
}

/** The claims of a push's signature, and the key that it was made with. Throws if it was not. */
export function signedBy({ headers }: Pushed): { readonly key: string; readonly claims: Record<string, unknown> } {
  const [, token = "", key = ""] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? "") ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const publicKey = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" } });
  const text = Buffer.from(`${head}.${claims}`);
  if (!verify("sha256", text, { key: publicKey, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"))) {
    throw new Error("the signature is not of this key");
  }
  return { key, claims: JSON.parse(Buffer.from(claims, "base64url").toString()) };
}
