import type { IncomingHttpHeaders } from "node:http";

/** What stands between a client and the daemon, as far as it shows. */
export type Between = "nginx" | "caddy" | "tailscale" | "cloudflared" | "ssh" | "unknown";

export function betweenOf({ hostname, protocol }: URL, headers: IncomingHttpHeaders = {}): Between {
  const names = `${headers.server ?? ""} ${headers.via ?? ""}`.toLowerCase();
  if (headers["cf-ray"] !== undefined || names.includes("cloudflare")) return "cloudflared";
  if (names.includes("nginx") || names.includes("openresty")) return "nginx";
  if (names.includes("caddy")) return "caddy";
  if (hostname.endsWith(".ts.net")) return "tailscale";
  if (hostname.endsWith(".trycloudflare.com")) return "cloudflared";
  return protocol === "http:" ? "ssh" : "unknown";
}

export type Trouble =
  | "unreached"
  | "untrusted"
  | "nothing behind"
  | "host"
  | "origin"
  | "upgrade"
  | "held back"
  | "cut";

/** The line of configuration that cures it; for something unknown, what nginx and Caddy would need. */
export function cureOf(trouble: Trouble, between: Between, port: number): string {
  const cures = curesAt(port)[trouble];
  const cure = cures[between];
  if (cure !== undefined) return cure;
  const all = Object.entries(cures).map(([name, line]) => `${name}: ${line}`);
  return all.length > 0 ? all.join("; ") : "see docs/remote.md";
}

type Cures = Readonly<Partial<Record<Between, string>>>;

function curesAt(port: number): Readonly<Record<Trouble, Cures>> {
  const address = `127.0.0.1:${port}`;
  return {
    unreached: {
      nginx: "`listen 443 ssl;` in its `server`, and `systemctl status nginx`",
      caddy: "`systemctl status caddy`",
      tailscale: `\`tailscale up\` on both machines, \`tailscale serve --bg ${port}\` on the daemon's`,
      cloudflared: `\`cloudflared tunnel run --url http://${address} NAME\``,
      ssh: `\`ssh -N -L ${port}:${address} HOST\``,
    },
    untrusted: {
      nginx: "`ssl_certificate` needs the whole chain, for this name",
      caddy: "Caddy gets a certificate for the name before `{`; for one of your own: `tls CERTIFICATE KEY`",
      tailscale: "`tailscale serve` gets it by itself, once HTTPS is enabled in the admin console",
      cloudflared: "the name must be a record of the tunnel: `cloudflared tunnel route dns NAME HOSTNAME`",
    },
    "nothing behind": {
      nginx: `\`proxy_pass http://${address};\``,
      caddy: `\`reverse_proxy ${address}\``,
      tailscale: `\`tailscale serve --bg ${port}\``,
      cloudflared: `\`service: http://${address}\` in its ingress, or \`--url http://${address}\``,
      ssh: `\`ssh -N -L LOCAL:${address} HOST\``,
    },
    host: {
      nginx: "`proxy_set_header Host $http_host;`",
      caddy: "remove `header_up Host …`",
      tailscale: `\`tailscale serve --bg ${port}\`, and not \`unix:…\``,
      cloudflared: "remove `httpHostHeader` from its `originRequest`",
      ssh: "name `http://127.0.0.1:LOCAL` in `origins` under [web] in config.toml",
    },
    origin: {
      nginx: "remove `proxy_set_header Origin …`",
      caddy: "remove `header_up Origin …`",
      cloudflared: "remove the rule that changes the header Origin",
    },
    upgrade: {
      nginx:
        "`proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $paneward_connection;` with the `map` of docs/remote.md",
      caddy: "remove `header_up Connection …` and `header_up Upgrade …`",
      cloudflared: "turn on WebSockets under Network in Cloudflare's dashboard",
    },
    "held back": {
      nginx: "remove `proxy_ignore_headers X-Accel-Buffering`, or set `proxy_buffering off;`",
      caddy: "`flush_interval -1` in `reverse_proxy`",
      cloudflared: "use a named tunnel: quick tunnels do not pass events on",
    },
    cut: {
      nginx: "`proxy_read_timeout 1h;`",
      caddy: "remove `read_timeout` and `response_header_timeout` from its `transport http`",
      cloudflared: "Cloudflare ends requests after 100 s; commands of Paneward wait for less at a time",
    },
  };
}
