import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { startDaemon } from "../../../paneward/test/support/daemon.ts";
import type { ModelServer } from "./model-server.ts";
import type { PiHome } from "./pi-home.ts";
import { RpcPi } from "./rpc-pi.ts";
import { extension, teamHome } from "./team-home.ts";
import { until } from "./until.ts";

/** A daemon, and a real pi beside it that leads the team `demo`. All of it ends with the test, pi first. */
export async function startLeader(
  t: { after(work: () => Promise<void>): void },
  model: ModelServer,
  prepare: (home: PiHome) => void = () => {},
) {
  const cleanups: (() => unknown)[] = [];
  const daemon = await startDaemon({ after: (work) => void cleanups.push(work) });
  const home = teamHome(daemon, model.port);
  prepare(home);
  const socket = join(daemon.folder, ".pi/agent/tmux/demo/tmux.sock");
  const tmux = (...args: readonly string[]) => spawnSync("tmux", ["-S", socket, ...args], { encoding: "utf8" }).stdout;
  const leader = new RpcPi(home, "--no-session", "-e", extension(home));
  t.after(async () => {
    await leader.end();
    await daemon.kill("SIGTERM");
    tmux("kill-server");
    for (const work of cleanups) await work();
    home.remove();
    await model.close();
  });
  /** The requests whose last message has this text. */
  const received = (text: RegExp) => model.requests.filter(({ messages }) => text.test(messages.at(-1)?.text ?? ""));
  /** All of them, for a failure. */
  const story = () => model.requests.map(({ messages }) => messages.at(-1)?.text.slice(0, 600)).join("\n--\n");
  const happens = (name: string, text: RegExp) =>
    until(
      () => `${name}:\n${story()}\n${tmux("capture-pane", "-p", "-t", "=worker1:")}`,
      () => received(text).length > 0,
    );
  return { daemon, home, tmux, leader, received, story, happens };
}
