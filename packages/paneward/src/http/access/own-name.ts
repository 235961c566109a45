import { PanewardError } from "@paneward/sdk";
import type { RequestFacts } from "./authenticate.ts";

/**
 * A page of another origin can make a browser send requests to loopback, even under a name of its own (DNS rebinding).
 * So the Host must be ours, and the Origin if there is one. Ours is only the address that the daemon listens on: under
 * `localhost` a client may reach ::1, where another user can listen on the same port and pass everything on. A browser names
 * no Origin for an image; it says that another site asks, and what is refused here uses up no limit.
 */
export function foreignSite({ via, header }: RequestFacts): PanewardError | undefined {
  if (via.kind !== "tcp") return noAddress(header("host"));
  const ours = ownName(via.port);
  if (header("host") !== ours) return refused("Host", ours);
  const origin = header("origin")?.toLowerCase();
  if (origin !== undefined && origin !== `http://${ours}`) return refused("Origin", ours);
  return isOfOtherSite(header) ? refused("Sec-Fetch-Site", ours) : undefined;
}

/** A person may follow a link of another site to the dashboard. */
function isOfOtherSite(header: RequestFacts["header"]): boolean {
  const site = header("sec-fetch-site");
  if (site !== "cross-site" && site !== "same-site") return false;
  return header("sec-fetch-mode") !== "navigate" || header("sec-fetch-dest") !== "document";
}

/** Where the dashboard is, for a person who typed `localhost`; a browser keeps what is behind the `#`. */
export function dashboardAddress({ via, header }: RequestFacts, method: string, path: string): string | undefined {
  if (via.kind !== "tcp" || method !== "GET" || path !== "/" || header("origin") !== undefined) return undefined;
  const isLocalhost = header("host")?.toLowerCase() === `localhost:${via.port}`;
  return isLocalhost ? `http://${ownName(via.port)}/` : undefined;
}

// On the Unix socket any name will do, but the address of the request is made from it. With a `?` in it, that has another
// path; and a name that ends like an IPv4 address, such as `w27.0.0.1`, has to be one.
function noAddress(host: string | undefined): PanewardError | undefined {
  if (host === undefined || host === lastPlain) return undefined;
  if (plainHost.test(host) && URL.canParse(`http://${host}`)) {
    lastPlain = host;
    return undefined;
  }
  return new PanewardError("bad_input", "the Host of this request is neither a name nor an address", {
    hint: "send a plain name, such as `Host: paneward`",
  });
}

// Each client sends the same one every time.
let lastPlain: string | undefined;

const plainHost = /^([\w.-]*|\[[\da-f:.]+\])(:\d*)?$/i;

function ownName(port: number): string {
  return `127.0.0.1:${port}`;
}

function refused(header: string, ours: string): PanewardError {
  return new PanewardError("not_allowed", `requests with this ${header} are refused`, {
    hint: `use http://${ours}`,
  });
}
