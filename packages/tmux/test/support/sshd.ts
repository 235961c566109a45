import { mkdir, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { findProgram, type Host, thisMachine } from "../../src/transport/host.ts";
import { afterwards, type Cleanup, temporaryFolder } from "./folder.ts";
import { patienceMs, plainEnv } from "./place.ts";
import { runProgram } from "./run.ts";

const path = `${process.env.PATH}:/usr/sbin:/sbin`;

/** Why no ssh server can be started here; undefined if one can. */
export function lacksSsh(): string | undefined {
  const missing = ["ssh", "sshd", "ssh-keygen"].filter((program) => !findProgram(program, path));
  return missing.length > 0 ? `${missing.join(" and ")} missing` : undefined;
}

/**
 * An ssh server with its own keys and settings, and the prefix that reaches it. The client starts it and talks to it
 * through a pipe, so there is no port and nothing to wait for. `settings` are environment variables of the remote
 * programs.
 */
export async function startSshd(t: Cleanup, settings: Readonly<Record<string, string>> = {}): Promise<Host> {
  const folder = await temporaryFolder(t);
  const at = (name: string) => join(folder, name);
  const key = (name: string) => runProgram(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", at(name)]);
  await Promise.all([key("host"), key("client")]);
  // sshd refuses to start without its folder for dropped privileges.
  if (process.getuid?.() === 0) await mkdir("/run/sshd", { recursive: true });
  await writeFile(at("sshd_config"), serverSettings(folder, settings));
  await writeFile(at("ssh_config"), clientSettings(folder));
  const prefix = ["ssh", "-F", at("ssh_config"), "box"];
  await runProgram([...prefix, "true"]);
  afterwards(t, async () => {
    await runProgram(["ssh", "-F", at("ssh_config"), "-O", "exit", "box"]).catch(() => "");
  });
  return { ...thisMachine, prefix, quoting: "posix", env: plainEnv, patienceMs };
}

function serverSettings(folder: string, settings: Readonly<Record<string, string>>): string {
  // A home of its own: the login scripts of this machine's user can take longer than what is tested.
  const named = Object.entries({ HOME: folder, ...settings }).map(([name, value]) => `${name}=${value}`);
  return [
    `HostKey ${folder}/host`,
    `AuthorizedKeysFile ${folder}/client.pub`,
    "PidFile none",
    "StrictModes no",
    "UsePAM no",
    "PermitRootLogin yes",
    "PasswordAuthentication no",
    "MaxSessions 200",
    `SetEnv ${named.join(" ")}`,
    "",
  ].join("\n");
}

// One connection carries all processes, a common setup for many terminals.
function clientSettings(folder: string): string {
  return [
    "Host box",
    `  ProxyCommand ${findProgram("sshd", path)} -i -e -f ${folder}/sshd_config 2>>${folder}/sshd.log`,
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
