/**
 * How a daemon proves that it is the one, before it gets a secret or anything else. A token and a login link end with the
 * fingerprint of the daemon's key; the client sends a nonce, and the daemon signs it together with the name and port that
 * it was asked under, so that an answer cannot be fetched elsewhere. For browsers and Node.
 */
export interface ServerProof {
  /** The public key: P-256, SPKI, base64. */
  readonly key: string;
  readonly signature: string;
  /** What a browser signs to open a session; valid once, for a moment, at this daemon process. */
  readonly challenge: string;
  /** The address that the request was sent to, as it arrived: another one if a proxy changes it. */
  readonly under?: string;
}

export interface Asked {
  /** Under which address; see `askedUnder`. */
  readonly host: string;
  readonly nonce: string;
}

/**
 * Name and port as in a URL, and over TLS with `https://` before them: what proves a daemon to a client with TLS proves
 * nothing to one that was led to plain HTTP.
 */
export function askedUnder({ protocol, host }: Pick<URL, "protocol" | "host">): string {
  return protocol === "https:" ? `https://${host}` : host;
}

export function identityPath(nonce: string): string {
  return `/identity?nonce=${nonce}`;
}

/** What the daemon signs. */
export function serverText({ host, nonce }: Asked, challenge: string): string {
  return ["paneward server 1", host, nonce, challenge].join("\n");
}

/** What a browser signs to open a session. */
export function browserText(host: string, login: string, challenge: string): string {
  return ["paneward browser 1", host, login, challenge].join("\n");
}

/** The fingerprint at the end of a token or a link's secret. */
export function fingerprintIn(secret: string): string | undefined {
  return /^pw_[0-9a-f]{8}_[0-9a-f]{64}_([0-9a-f]{32})$/.exec(secret)?.[1];
}

export function newNonce(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(32)));
}

/** Whether the answer comes from the daemon with this fingerprint, and was made for this question. */
export async function isProof(answer: unknown, asked: Asked, fingerprint: string): Promise<boolean> {
  const { key, signature, challenge } = (answer ?? {}) as Partial<ServerProof>;
  if (typeof key !== "string" || typeof signature !== "string" || typeof challenge !== "string") return false;
  try {
    const spki = bytesOf(key);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", spki));
    if (!hexOf(digest).startsWith(fingerprint)) return false;
    const known = await crypto.subtle.importKey("spki", spki, curve, false, ["verify"]);
    const text = new TextEncoder().encode(serverText(asked, challenge));
    return await crypto.subtle.verify(signing, known, bytesOf(signature), text);
  } catch {
    return false;
  }
}

/**
 * The other address for which the daemon with this fingerprint proved itself, if it did: something between the client and
 * the daemon passes requests on under that one. Good for a message, and never for trust.
 */
export async function provedElsewhere(answer: unknown, { host, nonce }: Asked, fingerprint: string) {
  const { under } = (answer ?? {}) as Partial<ServerProof>;
  if (typeof under !== "string" || under === host) return undefined;
  return (await isProof(answer, { host: under, nonce }, fingerprint)) ? under : undefined;
}

/** For people whose proxy asks under another address than they do. */
export const proxyHint =
  "if that is your proxy, let it pass on the Host that it got (nginx: proxy_set_header Host $http_host), and see docs/remote.md";

export interface BrowserKey {
  /** Scripts can use it, but cannot read it. */
  readonly privateKey: CryptoKey;
  /** SPKI, base64. */
  readonly publicKey: string;
}

export async function makeBrowserKey(): Promise<BrowserKey> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(curve, false, ["sign", "verify"]);
  return { privateKey, publicKey: base64Of(new Uint8Array(await crypto.subtle.exportKey("spki", publicKey))) };
}

export async function signWith(privateKey: CryptoKey, text: string): Promise<string> {
  const signature = await crypto.subtle.sign(signing, privateKey, new TextEncoder().encode(text));
  return base64Of(new Uint8Array(signature));
}

const curve = { name: "ECDSA", namedCurve: "P-256" } as const;
const signing = { name: "ECDSA", hash: "SHA-256" } as const;

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

function base64Of(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
