import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterwards, type Cleanup, temporaryFolder } from "../../../../tmux/test/support/folder.ts";
import { startContainer } from "../../../../tmux/test/support/podman.ts";
import { startSshd } from "../../../../tmux/test/support/sshd.ts";
import { killTmux, startDaemon, type TestDaemon } from "../../support/daemon.ts";
import { type Door, type Model, modelAt } from "./model.ts";

/** What a case uses: a model, and plain tmux to check the result. */
export interface Workbench {
  readonly model: Model;
  readonly daemon: TestDaemon;
  /** A folder with the same path on both sides. */
  readonly folder: string;
  /** Plain tmux on the host. */
  readonly tmux: (...args: readonly string[]) => Promise<string>;
}

/** On this machine, through one door. */
export async function localWorkbench(t: Cleanup, door: Door): Promise<Workbench> {
  const folder = await temporaryFolder(t);
  const daemon = await startDaemon(t);
  const socket = daemon.env.PANEWARD_TMUX_SOCKET_PATH ?? "";
  return { model: modelAt(door, daemon), daemon, folder, tmux: (...args) => run("tmux", "-S", socket, ...args) };
}

/** In a real container, without anything of Paneward. */
export async function containerWorkbench(t: Cleanup, door: Door): Promise<Workbench & { readonly container: string }> {
  const { host, shared } = await startContainer(t);
  const daemon = await startDaemon(t, hostConfig("box", host.prefix));
  return {
    model: modelAt(door, daemon, "box"),
    daemon,
    folder: shared,
    tmux: (...args) => run(...host.prefix, "tmux", ...args),
    container: host.prefix.at(-1) ?? "",
  };
}

/** Through a real ssh server, with its own home and tmux. */
export async function sshWorkbench(t: Cleanup, door: Door): Promise<Workbench> {
  const folder = await temporaryFolder(t);
  const host = await startSshd(t, { HOME: folder, SHELL: "/bin/sh", LANG: "C.UTF-8", TMUX_TMPDIR: folder });
  const tmux = (...args: readonly string[]) => run("env", `TMUX_TMPDIR=${folder}`, "tmux", ...args);
  const daemon = await startDaemon(t, hostConfig("box", host.prefix, host.quoting));
  afterwards(t, async () => {
    // A running daemon would reconnect to its host.
    await daemon.kill("SIGTERM");
    killTmux(join(folder, `tmux-${process.getuid?.()}`, "default"));
  });
  return { model: modelAt(door, daemon, "box"), daemon, folder, tmux };
}

export function hostConfig(name: string, prefix: readonly string[], quoting: "argv" | "posix" = "argv"): string {
  return `[hosts.${name}]\nprefix = ${JSON.stringify(prefix)}\nquoting = "${quoting}"\n`;
}

export async function run(...argv: readonly string[]): Promise<string> {
  const [file = "", ...args] = argv;
  return (await promisify(execFile)(file, args)).stdout.trim();
}
