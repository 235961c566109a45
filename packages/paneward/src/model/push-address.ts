/** A browser's subscription to notices: where its push service takes them, and the keys that only the browser can read by. */
export interface PushAddress {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

// The push services of Chrome and most others, Firefox, Edge and Safari.
const known = [
  "fcm.googleapis.com",
  "*.push.services.mozilla.com",
  "*.notify.windows.com",
  "*.push.apple.com",
] as const;

/**
 * Why nothing is sent there; undefined if it may be. A caller that may only read could otherwise make the daemon post to any address that
 * it can reach. `hosts` are more of the user's own, with their port if they have one.
 */
export function pushAddressTrouble(endpoint: string, hosts: readonly string[]): string | undefined {
  const url = URL.parse(endpoint);
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "")
    return "it is not a plain https address";
  if ([...known, ...hosts].some((host) => isHost(url.host, host))) return undefined;
  return `${url.host} is not the push service of a known browser`;
}

function isHost(host: string, wanted: string): boolean {
  if (!wanted.startsWith("*.")) return host === wanted.toLowerCase();
  const rest = wanted.slice(1).toLowerCase();
  return host.endsWith(rest) && host.length > rest.length;
}
