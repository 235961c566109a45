import { PanewardError } from "@paneward/sdk";
import type { ServicePlan } from "./plan.ts";

export const unitName = "paneward.service";

/**
 * The unit of systemd.
 *
 * `KillMode=process`: the sender of notices finishes what it has begun, and a tmux server that could not get a scope of its own
 * survives on tmux before 3.7. `RestartPreventExitStatus`: what another daemon that runs, a wrong configuration or a damaged
 * database causes is not cured by starting again. `OOMPolicy=continue`: one program that took too much memory is not the
 * daemon.
 */
export function unitText({ argv, env, home, socket, log, environmentFile, version }: ServicePlan): string {
  const lines = [
    "[Unit]",
    "Description=Paneward: runs coding agents and long tasks in tmux",
    "StartLimitIntervalSec=60",
    "StartLimitBurst=10",
    "",
    "[Service]",
    "Type=notify",
    "NotifyAccess=all",
    `ExecStart=${argv.map(argument).join(" ")}`,
    ...Object.entries(env).map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}`),
    `EnvironmentFile=-${path(environmentFile)}`,
    `StandardOutput=append:${path(log)}`,
    `StandardError=append:${path(log)}`,
    "WorkingDirectory=/",
    "KillMode=process",
    "OOMPolicy=continue",
    "Restart=on-failure",
    "RestartSec=1",
    "RestartPreventExitStatus=2 6 8 9",
    "TimeoutStartSec=60",
    "TimeoutStopSec=20",
    "",
    "[Install]",
    "WantedBy=default.target",
    "",
    // systemd ignores sections that begin with X-.
    "[X-Paneward]",
    `Version=${oneLine(version)}`,
    `Program=${oneLine(argv.join(" "))}`,
    `Home=${oneLine(home)}`,
    `Socket=${oneLine(socket)}`,
  ];
  return `${lines.join("\n")}\n`;
}

/** What an installed service says about itself; undefined if we did not write it. */
export interface Written {
  readonly version: string;
  readonly program: string;
  readonly home: string;
  readonly socket: string;
}

export function readUnit(text: string): Written | undefined {
  const own = text.split(/^\[X-Paneward\]$/m)[1];
  if (own === undefined) return undefined;
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(own)?.[1];
  const [version, program, home, socket] = ["Version", "Program", "Home", "Socket"].map(value);
  if (version === undefined || program === undefined || home === undefined || socket === undefined) return undefined;
  return { version, program, home, socket };
}

/** The unit apart from the variables, which differ from shell to shell, and the version, which an update in place changes. */
export function unitWithoutVariables(text: string): string {
  return text.replace(/^(Environment|Version)=.*\n/gm, "");
}

// In a command line, systemd replaces `$NAME` and `%x`; elsewhere only `%x`.
const argument = (text: string) => quoted(text.replaceAll("$", "$$$$"));

function quoted(text: string): string {
  return `"${oneLine(text).replace(/[\\"]/g, "\\$&").replaceAll("%", "%%")}"`;
}

const path = (text: string) => oneLine(text).replaceAll("%", "%%");

function oneLine(text: string): string {
  if (!/[\0-\x1f\x7f]/.test(text)) return text;
  throw new PanewardError("bad_input", `a service file cannot hold a control character: ${JSON.stringify(text)}`, {
    hint: "remove it from that variable or path, and try again",
  });
}
