import { directHeaders, PanewardError } from "@paneward/sdk";
import type { RequestFacts } from "./authenticate.ts";

/**
 * Why a request on the Unix socket is refused: a client of the socket is its owner, but a proxy in front of it would
 * make owners of all who reach the proxy. So a request must show that it came directly.
 */
export function indirect(header: RequestFacts["header"]): PanewardError | undefined {
  if (ofOthers.some((name) => header(name) !== undefined)) {
    return new PanewardError(
      "not_allowed",
      "a proxy passed this request on to the daemon's socket, or a browser sent it",
      {
        hint: "every client of the socket has all rights; let the proxy pass requests on to the port: docs/remote.md",
      },
    );
  }
  const named = (header("connection") ?? "").split(",").some((name) => name.trim() === directHeaders.connection);
  const isMarked = named && header(directHeaders.connection) === directHeaders.paneward_direct;
  if (isMarked && header("host") === directHeaders.host) return undefined;
  return new PanewardError("bad_input", "a request on the daemon's socket must show that no proxy passed it on", {
    hint: "let a proxy pass requests on to the port (docs/remote.md); a program of yours sends `Host: paneward`, `Connection: paneward_direct` and `paneward_direct: 1`, and an older one is restarted",
  });
}

/** What proxies add, and what only browsers send. */
const ofOthers = [
  ...["forwarded", "via", "x-real-ip", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-port"],
  ...["x-forwarded-server", "x-original-url", "x-envoy-external-address", "cf-ray", "cf-connecting-ip", "cdn-loop"],
  ...["tailscale-user-login", "tailscale-headers-info", "tailscale-funnel-request"],
  ...["origin", "referer", "sec-fetch-site", "sec-fetch-mode", "cookie"],
];
