import { generateKeyPairSync } from "node:crypto";
import { identityOf } from "../../src/system/identity.ts";

/** A daemon's key. */
export const testIdentity = identityOf(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey);
