import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { findProgram, type Host, thisMachine } from "../../src/transport/host.ts";
import { afterwards, type Cleanup, temporaryFolder } from "./folder.ts";
import { plainEnv } from "./place.ts";
import { runProgram } from "./run.ts";
import { until } from "./until.ts";

const path = `${process.env.PATH}:/usr/sbin:/sbin`;

/** Why no ssh server can be started here; undefined when it can. */
export function lacksSsh(): string | undefined {
  const missing = ["ssh", "sshd", "ssh-keygen"].filter((program) => !findProgram(program, path));
  return missing.length > 0 ? `${missing.join(" and ")} missing` : undefined;
}

/** An ssh server on a loopback port with keys and settings of its own, and the prefix that reaches it. */
export async function startSshd(t: Cleanup): Promise<Host> {
  const folder = await temporaryFolder(t);
  const at = (name: string) => join(folder, name);
  const key = (name: string) => runProgram(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", at(name)]);
  await Promise.all([key("host"), key("client")]);
  // sshd refuses to start without its folder for dropped privileges.
  if (process.getuid?.() === 0) await mkdir("/run/sshd", { recursive: true });
  const port = await freePort();
  await writeFile(at("sshd_config"), serverSettings(folder, port));
  await writeFile(at("ssh_config"), clientSettings(folder, port));
  const sshd = spawn(findProgram("sshd", path) ?? "sshd", ["-D", "-e", "-f", at("sshd_config")], { stdio: "ignore" });
  afterwards(t, () => end(sshd));
  const prefix = ["ssh", "-F", at("ssh_config"), "box"];
  await until("sshd answers", () =>
    runProgram([...prefix, "true"]).then(
      () => true,
      () => false,
    ),
  );
  afterwards(t, async () => {
    await runProgram(["ssh", "-F", at("ssh_config"), "-O", "exit", "box"]).catch(() => "");
  });
  return { ...thisMachine, prefix, quoting: "posix", env: plainEnv };
}

function serverSettings(folder: string, port: number): string {
  return [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${folder}/host`,
    `AuthorizedKeysFile ${folder}/client.pub`,
    "PidFile none",
    "StrictModes no",
    "UsePAM no",
    "PermitRootLogin yes",
    "PasswordAuthentication no",
    "MaxSessions 200",
    "MaxStartups 200",
    "",
  ].join("\n");
}

// One connection carries all processes, as a person with many terminals would set it.
function clientSettings(folder: string, port: number): string {
  return [
    "Host box",
    "  HostName 127.0.0.1",
    `  Port ${port}`,
    `  User ${userInfo().username}`,
    `  IdentityFile ${folder}/client`,
    "  IdentitiesOnly yes",
    `  UserKnownHostsFile ${folder}/known_hosts`,
    "  StrictHostKeyChecking no",
    "  LogLevel ERROR",
    "  ControlMaster auto",
    `  ControlPath ${folder}/mux`,
    "  ControlPersist 60",
    "",
  ].join("\n");
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill("SIGTERM");
  });
}
