/**
 * Whether a webhook's secret is a key: `whsec_` and base64. What is not base64 would be read as other or no bytes, and sign
 * nothing that a receiver can check.
 */
export function isSigningKey(secret: string): boolean {
  const text = withoutPrefix(secret);
  const letters = text.replace(/=+$/, "").length;
  return /^[A-Za-z0-9+/]+=*$/.test(text) && Math.floor((letters * 6) / 8) >= minKeyBytes;
}

/** The base64 of a secret. */
export function withoutPrefix(secret: string): string {
  return secret.replace(/^whsec_/, "");
}

export const howToMakeOne = "echo whsec_$(openssl rand -base64 32)";

const minKeyBytes = 16;
