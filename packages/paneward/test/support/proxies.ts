import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash, createPublicKey } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { afterwards, type Cleanup } from "./folder.ts";
import { until } from "./until.ts";

const root = join(import.meta.dirname, "../../../..");

/** A certificate for box.test, localhost and 127.0.0.1, signed by an authority of the test's own. */
export interface Authority {
  /** The authority's certificate: what a client has to trust. */
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

export type ProxyKind = "nginx" | "caddy";
export const proxyKinds: readonly ProxyKind[] = ["nginx", "caddy"];

export interface ProxyOptions {
  readonly kind: ProxyKind;
  readonly folder: string;
  readonly authority: Authority;
  /** Where it listens, with TLS. */
  readonly port: number;
  /** What comes into nginx's `server` or Caddy's site. */
  readonly site: string;
  /** What stands beside it. */
  readonly beside?: string;
}

export function makeAuthority(folder: string): Authority {
  mkdirSync(folder, { recursive: true });
  const at = (name: string) => join(folder, name);
  const openssl = (...args: readonly string[]) => {
    const { status, stderr } = spawnSync("openssl", args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`openssl ${args.join(" ")}: ${stderr}`);
  };
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const authority = [
    "-x509",
    "-days",
    "2",
    "-subj",
    "/CN=the test's authority",
    "-keyout",
    at("ca.key"),
    "-out",
    at("ca.pem"),
  ];
  openssl("req", ...key, ...authority, "-addext", "keyUsage=critical,keyCertSign");
  openssl("req", ...key, "-subj", "/CN=box.test", "-keyout", at("box.key"), "-out", at("box.csr"));
  writeFileSync(at("names"), "subjectAltName=DNS:box.test,DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\n");
  const signed = [
    "-CA",
    at("ca.pem"),
    "-CAkey",
    at("ca.key"),
    "-CAcreateserial",
    "-days",
    "2",
    "-extfile",
    at("names"),
  ];
  openssl("x509", "-req", "-in", at("box.csr"), ...signed, "-out", at("box.pem"));
  return { ca: at("ca.pem"), certificate: at("box.pem"), key: at("box.key") };
}

/** By which Chromium trusts the test's certificate, and no other one. */
export function pinOf({ certificate }: Authority): string {
  const key = createPublicKey(readFileSync(certificate)).export({ type: "spki", format: "der" });
  return createHash("sha256").update(key).digest("base64");
}

/** The part of docs/remote.md for this proxy, asking the daemon on this port: what people are told to write. */
export function documentedSite(kind: ProxyKind, daemonPort: number): Pick<ProxyOptions, "site" | "beside"> {
  const page = readFileSync(join(root, "docs/remote.md"), "utf8");
  const [, block = ""] = new RegExp(`\`\`\`${kind}\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  const text = block.replace("127.0.0.1:7420", `127.0.0.1:${daemonPort}`);
  if (kind === "caddy") return { site: /\{([\s\S]*)\}/.exec(text)?.[1] ?? "" };
  const [beside = "", server = ""] = text.split(/^server \{/m);
  const site = server
    .slice(0, server.lastIndexOf("}"))
    .replace(/^ *(listen|server_name|ssl_certificate(_key)?) .*;\n/gm, "");
  return { site, beside };
}

/** A port that the system gives to nobody who asks for any, and that no other file of tests begins with. */
export async function reservedPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + ((process.pid * 37 + asked++) % 10_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

let asked = 0;

/** The real program with a configuration of the test's own, as its own process; ends with the test. */
export async function startProxy(t: Cleanup, options: ProxyOptions): Promise<{ stop(): Promise<void> }> {
  const folder = join(options.folder, `${options.kind}-${options.port}`);
  mkdirSync(folder, { recursive: true });
  const [command, ...args] = options.kind === "nginx" ? nginx(folder, options) : caddy(folder, options);
  const child = spawn(command ?? "", args, {
    env: { PATH: process.env.PATH ?? "", HOME: folder, TMPDIR: process.env.TMPDIR ?? "/tmp" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (text) => (printed = `${printed}${text}`.slice(-20_000)));
  const stop = () => ended(child);
  afterwards(t, stop);
  await until(`${options.kind} listens`, () => {
    if (child.exitCode !== null) throw new Error(`${options.kind} ended: ${printed}`);
    return accepts(options.port);
  });
  return { stop };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const answer = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once("connect", () => answer(true)).once("error", () => answer(false));
  });
}

function nginx(folder: string, { authority, port, site, beside = "" }: ProxyOptions): readonly string[] {
  const file = join(folder, "nginx.conf");
  const scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
events {}
http {
access_log off; ${scratch.join(" ")}
${beside}
server {
listen 127.0.0.1:${port} ssl;
ssl_certificate ${authority.certificate};
ssl_certificate_key ${authority.key};
${site}
}
}
`,
  );
  return [programOf("usr/sbin/nginx"), "-p", folder, "-c", file, "-e", "stderr"];
}

function caddy(folder: string, { authority, port, site, beside = "" }: ProxyOptions): readonly string[] {
  const file = join(folder, "Caddyfile");
  writeFileSync(
    file,
    `{
	admin off
	auto_https off
	storage file_system ${folder}
}
${beside}
https://:${port} {
	bind 127.0.0.1
	tls ${authority.certificate} ${authority.key}
	${site}
}
`,
  );
  return [programOf("usr/bin/caddy"), "run", "--config", file, "--adapter", "caddyfile"];
}

/** Unpacked by scripts/setup.sh, or the system's. */
function programOf(path: string): string {
  const unpacked = join(root, "node_modules/.proxies", path);
  return existsSync(unpacked) ? unpacked : `/${path}`;
}
