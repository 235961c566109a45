import { machine } from "./machine.ts";

/**
 * Reports to systemd that the daemon is ready; `systemctl start` waits for that. By a program of systemd, because Node has no
 * datagram sockets. Returns why that failed.
 */
export async function reportReady(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const { NOTIFY_SOCKET: socket } = env;
  if (!socket) return undefined;
  // What the daemon starts must not report in its name.
  delete env.NOTIFY_SOCKET;
  const args = ["--ready", `--pid=${process.pid}`];
  const answer = await machine.ask("systemd-notify", args, { env: { ...env, NOTIFY_SOCKET: socket } });
  switch (answer.kind) {
    case "printed":
      return undefined;
    case "missing":
      return "systemd-notify is not on the PATH";
    case "silent":
      return "systemd-notify did not end";
    case "failed":
      return answer.reason;
  }
}
