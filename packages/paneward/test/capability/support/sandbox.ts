import { readFileSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { afterwards, type Cleanup, temporaryFolder } from "../../../../tmux/test/support/folder.ts";
import { bareRoot, modestLimits, podman } from "../../../../tmux/test/support/podman.ts";
import { run } from "./workbench.ts";

const folder = fileURLToPath(new URL("../../../../../examples/sandbox/", import.meta.url));

export const sandboxFile = (name: string) => readFileSync(join(folder, name), "utf8");

/** The compose file's service. */
export interface Service {
  readonly container_name: string;
  readonly hostname: string;
  readonly network_mode: string;
  readonly security_opt: readonly string[];
  readonly cap_drop: readonly string[];
  readonly mem_limit: string;
  readonly cpus: number;
  readonly pids_limit: number;
  readonly volumes: readonly string[];
}

export function sandboxService(): Service {
  const { services } = parse(sandboxFile("compose.yaml")) as { services: Record<string, Service> };
  const { sandbox } = services;
  if (!sandbox || Object.keys(services).length > 1)
    throw new Error("the compose file must have exactly one service: sandbox");
  return sandbox;
}

/** The engine flags that compose would use for the service. */
function engineFlags(service: Service): readonly string[] {
  return [
    `--hostname=${service.hostname}`,
    `--network=${service.network_mode}`,
    ...service.security_opt.map((option) => `--security-opt=${option.replace(/:true$/, "")}`),
    ...service.cap_drop.map((capability) => `--cap-drop=${capability}`),
    `--memory=${service.mem_limit}`,
    `--cpus=${service.cpus}`,
    `--pids-limit=${service.pids_limit}`,
    ...service.volumes.map((volume) => `--volume=${volume}`),
  ];
}

/**
 * The example's sandbox, built from its Containerfile and run with its compose file's settings, in its own image store.
 * The base image is empty except for this machine's /usr, so that no registry is needed.
 */
export async function startSandbox(t: Cleanup): Promise<{ readonly prefix: readonly string[] }> {
  const place = await temporaryFolder(t);
  const engine = [...podman, "--root", join(place, "root"), "--runroot", join(place, "run")];
  const usr = ["--volume=/usr:/usr:ro", ...modestLimits];
  await run(...engine, "import", await baseImage(place), "base");
  const build = ["build", "--network=none", "--build-arg=BASE=localhost/base", ...usr, "--tag=sandbox"];
  await run(...engine, ...build, `--file=${join(folder, "Containerfile")}`, folder);
  const service = sandboxService();
  afterwards(t, async () => {
    await run(...engine, "rm", "-f", "-t", "0", service.container_name);
  });
  const named = `--name=${service.container_name}`;
  await run(...engine, "run", "-d", named, ...engineFlags(service), ...usr, "sandbox");
  return { prefix: [...engine, "exec", "-i", service.container_name] };
}

async function baseImage(place: string): Promise<string> {
  const root = join(place, "base");
  await mkdir(root);
  await bareRoot(root);
  await chmod(join(root, "tmp"), 0o1777);
  for (const name of ["home", "usr", "var/tmp"]) await mkdir(join(root, name));
  await writeFile(join(root, "etc/passwd"), "root:x:0:0:root:/root:/bin/sh\n");
  await writeFile(join(root, "etc/group"), "root:x:0:\n");
  const archive = join(place, "base.tar");
  await run("tar", "-C", root, "-cf", archive, ".");
  return archive;
}
