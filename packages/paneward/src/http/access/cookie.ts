/** The login cookie of a browser. A browser sends cookies to all ports of a host, so each daemon uses its own name. */
function cookieName(port: number): string {
  return `paneward_${port}`;
}

export function cookieOf(header: string | undefined, port: number): string | undefined {
  const name = cookieName(port);
  for (const pair of (header ?? "").split(";")) {
    const [key, value] = pair.split("=", 2);
    if (key?.trim() === name) return value?.trim();
  }
  return undefined;
}

export function setCookie(port: number, secret: string, maxAgeSeconds: number): string {
  return `${cookieName(port)}=${secret}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`;
}
