import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { PanewardError } from "@paneward/sdk";
import { readForeignSync } from "@paneward/sdk/node/files";
import type { Files, Identity } from "../runtime/ports.ts";

/** Reads the daemon's key, or makes it. Tokens name it, so it stays the same as long as the state folder does. */
export async function openIdentity(path: string, files: Pick<Files, "replacePrivate">): Promise<Identity> {
  const known = readIfThere(path);
  if (known !== undefined) return identityOf(known);
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  await files.replacePrivate(path, privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  return identityOf(privateKey);
}

export function identityOf(privateKey: KeyObject): Identity {
  const spki = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  return {
    key: spki.toString("base64"),
    fingerprint: createHash("sha256").update(spki).digest("hex").slice(0, 32),
    sign: (text) =>
      sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64"),
  };
}

function readIfThere(path: string): KeyObject | undefined {
  try {
    const text = readForeignSync(path, { maxBytes: 65_536 });
    return text && createPrivateKey(text);
  } catch (cause) {
    throw new PanewardError("unavailable", `the daemon's key ${path} cannot be read: ${(cause as Error).message}`, {
      hint: "restore it, or remove it: then tokens and browser logins have to be made again",
      cause,
    });
  }
}
