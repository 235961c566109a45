import { directHeaders } from "@paneward/sdk";

/** The headers of a request on the Unix socket, with what shows that it comes directly. */
export function direct(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { connection } = headers;
  const both = connection === undefined ? directHeaders.connection : `${connection}, ${directHeaders.connection}`;
  return { ...directHeaders, ...headers, connection: both };
}

/** Headers as a request carries them, for one that is written byte by byte. */
export function head(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}
