import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Passkey } from "../model/records.ts";
import type { WebAuthn } from "../runtime/ports.ts";

/** WebAuthn by @simplewebauthn/server, which takes 0.1 s of the processor and 30 MB to load: only where passkeys are used. */
export function webAuthn(): WebAuthn {
  return {
    async makingOptions({ origin, challenge }, { id, name }, known) {
      const { generateRegistrationOptions } = await library();
      return generateRegistrationOptions({
        ...{ rpName: "Paneward", rpID: hostname(origin), challenge: bytes(challenge), timeout: timeoutMs },
        ...{ userID: Uint8Array.from(Buffer.from(id)), userName: name, userDisplayName: name },
        attestationType: "none",
        authenticatorSelection: { residentKey: "discouraged", userVerification: "required" },
        excludeCredentials: known.map(descriptor),
        // Chromium 156 would choose ML-DSA-44, which Node verifies only as an experiment.
        supportedAlgorithmIDs: algorithms,
      });
    },
    async made({ origin, challenge }, response) {
      const { verifyRegistrationResponse } = await library();
      await requireNoCertificates(response);
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        ...expected(origin, challenge),
        requireUserVerification: true,
        supportedAlgorithmIDs: algorithms,
      });
      if (!verified) throw new Error("it is not signed for this challenge");
      const { id, publicKey, counter, transports } = registrationInfo.credential;
      const key = Buffer.from(publicKey).toString("base64");
      return { id, key, counter, ...(transports === undefined ? {} : { transports }) };
    },
    async usingOptions({ origin, challenge }, known) {
      const { generateAuthenticationOptions } = await library();
      return generateAuthenticationOptions({
        ...{ rpID: hostname(origin), challenge: bytes(challenge), timeout: timeoutMs, userVerification: "required" },
        allowCredentials: known.map(descriptor),
      });
    },
    async used({ origin, challenge }, response, { id, key, counter }) {
      const { verifyAuthenticationResponse } = await library();
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        ...expected(origin, challenge),
        credential: { id, publicKey: Uint8Array.from(Buffer.from(key, "base64")), counter },
        requireUserVerification: true,
      });
      if (!verified) throw new Error("it is not signed for this challenge");
      return authenticationInfo.newCounter;
    },
  };
}

/**
 * No certificates are asked for, and browsers leave them out. They would be parsed, and the lists of revoked ones fetched from
 * wherever they say.
 */
async function requireNoCertificates(response: object): Promise<void> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  const { attestationObject } = (response as Partial<RegistrationResponseJSON>).response ?? {};
  const attestation = decodeAttestationObject(bytes(String(attestationObject)));
  const isPlain = ["none", "packed"].includes(attestation.get("fmt"));
  if (!isPlain || attestation.get("attStmt").get("x5c") !== undefined)
    throw new Error("it brings certificates, and none are asked for");
}

const timeoutMs = 120_000;
const algorithms = [-7, -257];

function library() {
  return import("@simplewebauthn/server");
}

function hostname(origin: string): string {
  return new URL(origin).hostname;
}

function expected(origin: string, challenge: string) {
  return { expectedChallenge: challenge, expectedOrigin: origin, expectedRPID: hostname(origin) };
}

function descriptor({ id, transports }: Passkey) {
  return { id, ...(transports === undefined ? {} : { transports: transports as AuthenticatorTransport[] }) };
}

function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64url, "base64url"));
}
