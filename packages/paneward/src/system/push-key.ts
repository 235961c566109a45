import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { PanewardError } from "@paneward/sdk";
import { readForeignSync } from "@paneward/sdk/node/files";
import type { Files, PushKey } from "../runtime/ports.ts";

/** Reads the key by which push services know this daemon, or makes it. Browsers subscribe with it, so it stays the same. */
export async function openPushKey(path: string, files: Pick<Files, "replacePrivate">): Promise<PushKey> {
  const known = readIfThere(path);
  if (known) return { path, publicKey: publicOf(known) };
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  await files.replacePrivate(path, privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  return { path, publicKey: publicOf(privateKey) };
}

// An uncompressed point, as browsers want it: its last 65 bytes.
function publicOf(privateKey: KeyObject): string {
  return createPublicKey(privateKey).export({ type: "spki", format: "der" }).subarray(-65).toString("base64url");
}

function readIfThere(path: string): KeyObject | undefined {
  try {
    const text = readForeignSync(path, { maxBytes: 65_536 });
    return text && createPrivateKey(text);
  } catch (cause) {
    throw new PanewardError(
      "unavailable",
      `the key for push services ${path} cannot be read: ${(cause as Error).message}`,
      {
        hint: "restore it, or remove it: then notices have to be turned on again in every browser",
        cause,
      },
    );
  }
}
