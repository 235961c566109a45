import { PanewardError } from "@paneward/sdk";
import type { Site } from "../env.ts";
import type { RequestFacts } from "./authenticate.ts";
import { indirect } from "./direct.ts";

export interface Sites {
  /** Why a request is refused, if its Host, its Origin or the way it took is not ours. */
  readonly refusalOf: (facts: RequestFacts) => PanewardError | undefined;
  /** The address that a request was sent to; undefined if that is none of ours, and on the Unix socket. */
  readonly of: (facts: RequestFacts) => Site | undefined;
  /** Where the dashboard is, for a person who typed `localhost`; a browser keeps what is behind the `#`. */
  readonly redirect: (facts: RequestFacts, method: string, path: string) => string | undefined;
}

export interface SitesOptions {
  /** As in the configuration: what people open that a proxy, or ssh, passes on to the port on loopback. */
  readonly origins: readonly string[];
  /** Whether Tailscale Funnel may pass requests of the whole internet on. */
  readonly funnel: boolean;
}

/**
 * A page of another origin can make a browser send requests to loopback, even under a name of its own (DNS rebinding).
 * So the Host must be exactly one of ours, and the Origin, if there is one, exactly the one of that Host. Of loopback only
 * the address that the daemon listens on is ours: under `localhost` a client may reach ::1, where another user can listen on
 * the same port and pass everything on. A browser names no Origin for an image; it says that another site asks, and what is
 * refused here uses up no limit. What a proxy says of the request (X-Forwarded-…) is not looked at: anybody may say it.
 */
export function createSites({ origins, funnel }: SitesOptions): Sites {
  const configured = new Map(origins.map(siteAt).map((site) => [site.host, site]));
  const named = (host: string | undefined, port: number) =>
    host === undefined ? undefined : host === ownHost(port) ? siteAt(`http://${host}`) : configured.get(host);
  const hintFor = (origin: string | undefined, ours: string) =>
    origin !== undefined && origins.includes(origin) ? passHostOn : `use ${ours}${orConfigure}`;
  const foreign = (port: number, header: RequestFacts["header"]) => {
    const origin = header("origin")?.toLowerCase();
    const site = named(header("host"), port);
    if (!site) return refused("Host", hintFor(origin, `http://${ownHost(port)}`));
    if (origin !== undefined && origin !== site.origin) return refused("Origin", hintFor(origin, site.origin));
    if (isOfOtherSite(header)) return refused("Sec-Fetch-Site", `use ${site.origin}`);
    return !funnel && header("tailscale-funnel-request") !== undefined ? throughFunnel() : undefined;
  };
  return {
    of: ({ via, header }) => (via.kind === "tcp" ? named(header("host"), via.port) : undefined),
    refusalOf({ via, header }) {
      if (via.kind === "inside") return undefined;
      return via.kind === "unix" ? indirect(header) : foreign(via.port, header);
    },
    redirect({ via, header }, method, path) {
      if (via.kind !== "tcp" || method !== "GET" || path !== "/" || header("origin") !== undefined) return undefined;
      const host = header("host")?.toLowerCase() ?? "";
      const site = host.startsWith("localhost:") ? named(host.replace("localhost", "127.0.0.1"), via.port) : undefined;
      return site?.protocol === "http:" ? `${site.origin}/` : undefined;
    },
  };
}

function siteAt(origin: string): Site {
  const { host, protocol } = new URL(origin);
  return { origin, host, protocol };
}

function ownHost(port: number): string {
  return `127.0.0.1:${port}`;
}

/** A person may follow a link of another site to the dashboard. */
function isOfOtherSite(header: RequestFacts["header"]): boolean {
  const site = header("sec-fetch-site");
  if (site !== "cross-site" && site !== "same-site") return false;
  return header("sec-fetch-mode") !== "navigate" || header("sec-fetch-dest") !== "document";
}

const passHost = "let it pass on the Host that it got (nginx: proxy_set_header Host $http_host)";
const passHostOn = `the proxy changes Host: ${passHost}`;
const orConfigure = `; behind a proxy, name in \`origins\` under [web] in config.toml what people open, and ${passHost}`;

function refused(header: string, hint: string): PanewardError {
  return new PanewardError("not_allowed", `requests with this ${header} are refused`, { hint });
}

function throughFunnel(): PanewardError {
  return new PanewardError("not_allowed", "requests through Tailscale Funnel are refused: anybody can send them", {
    hint: "use `tailscale serve`, for your own devices, or set `funnel = true` under [web] in config.toml",
  });
}
