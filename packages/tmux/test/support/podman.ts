import { randomBytes } from "node:crypto";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { findProgram, type Host, thisMachine } from "../../src/transport/host.ts";
import { afterwards, type Cleanup, temporaryFolder } from "./folder.ts";
import { patienceMs, plainEnv } from "./place.ts";
import { runProgram } from "./run.ts";

/** Why containers are unavailable here; undefined if they are available. */
export function lacksContainers(): string | undefined {
  const path = `${process.env.PATH}:/usr/sbin:/sbin`;
  const missing = ["podman", "runc"].filter((program) => !findProgram(program, path));
  if (missing.length > 0) return `${missing.join(" and ")} missing`;
  return process.getuid?.() === 0 ? undefined : "the container of this suite needs root";
}

const conmon = join(import.meta.dirname, "conmon.sh");

export const podman = [
  ...["podman", "--runtime", "runc", "--cgroup-manager=cgroupfs", "--storage-driver=vfs", "--conmon", conmon],
];

/** A container cannot get limits higher than this process has. */
export const modestLimits = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4096:4096"];

/** Creates the empty folders of a root file system; /usr is this machine's. */
export async function bareRoot(rootfs: string): Promise<void> {
  for (const name of ["proc", "sys", "dev", "tmp", "run", "etc", "var", "root"]) await mkdir(join(rootfs, name));
  for (const name of ["bin", "sbin", "lib", "lib64"]) await symlink(`usr/${name}`, join(rootfs, name));
}

/** A real container without an image: empty folders, and this machine's /usr. `shared` is the same path inside. */
export async function startContainer(t: Cleanup): Promise<{ readonly host: Host; readonly shared: string }> {
  const shared = await temporaryFolder(t);
  const rootfs = await temporaryFolder(t);
  await bareRoot(rootfs);
  const name = `paneward-test-${process.pid}-${randomBytes(3).toString("hex")}`;
  const folders = ["-v", "/usr:/usr:ro", "-v", `${shared}:${shared}`, "--rootfs", rootfs];
  afterwards(t, async () => {
    await runProgram([...podman, "rm", "-f", "-t", "0", name]);
  });
  await runProgram([
    ...podman,
    "run",
    "-d",
    "--init=false",
    "--name",
    name,
    "--network=none",
    // Reading the rules of seccomp is a sixth of what each program costs that is started in it.
    ...["--security-opt", "seccomp=unconfined"],
    ...modestLimits,
    ...folders,
    "sleep",
    "100000",
  ]);
  return { host: { ...thisMachine, prefix: [...podman, "exec", "-i", name], env: plainEnv, patienceMs }, shared };
}
