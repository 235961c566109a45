import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { packedCli } from "../../support/packed.ts";
import { until } from "../../support/until.ts";

const repository = resolve(import.meta.dirname, "../../../../..");

/** Debian trees that `scripts/setup.sh service` makes, and the tmux in each. */
export const suites = { bookworm: "tmux 3.3a", trixie: "tmux 3.7c, built with systemd" } as const;
export type Suite = keyof typeof suites;

export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A machine that systemd runs: a container whose changes go with it. */
export class Machine {
  readonly name: string;
  readonly #suite: Suite;
  #scripts = 0;

  private constructor(suite: Suite) {
    this.#suite = suite;
    this.name = `paneward-service-${suite}-${process.pid}`;
  }

  static async boot(suite: Suite): Promise<Machine> {
    const { HOME = "/root", XDG_CACHE_HOME = join(HOME, ".cache") } = process.env;
    const tree = join(XDG_CACHE_HOME, "paneward-debian", suite);
    if (!existsSync(`${tree}.stamp`)) throw new Error(`${tree} is missing: sh scripts/setup.sh service`);
    const machine = new Machine(suite);
    const limits = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4096:4096"];
    const mounts = [repository, elsewhere].flatMap((place) => ["-v", `${repository}:${place}:ro`]);
    await podman(
      ...["run", "-d", "--name", machine.name, "--systemd=always", "--network=none", ...limits, ...mounts],
      ...["--rootfs", `${tree}:O`, "/lib/systemd/systemd"],
    );
    await machine.#isUp();
    const main = join(relative(repository, await packedCli()), "main.mjs");
    for (const [place, name] of [
      [repository, "paneward"],
      [elsewhere, "paneward-elsewhere"],
    ] as const) {
      const command = `#!/bin/sh\nexec '${place}/node_modules/.bin/node' '${place}/${main}' "$@"\n`;
      await machine.root(`cp ${await machine.script(command)} /usr/local/bin/${name}`);
    }
    return machine;
  }

  /** Runs a script as root, outside of any login. Fails if it fails. */
  async root(script: string): Promise<string> {
    const { code, stdout, stderr } = await this.tryRoot(script);
    if (code !== 0) throw new Error(`exit code ${code} of ${script}:\n${stdout}${stderr}`);
    return stdout.trim();
  }

  async tryRoot(script: string): Promise<Said> {
    return podmanSays("exec", this.name, "sh", "-c", script);
  }

  /** A user of its own for a test, with a port that nobody else takes. */
  async user(name: string): Promise<User> {
    const config = `/home/${name}/.config/paneward/config.toml`;
    await this.root(
      `useradd -m -s /bin/bash ${name} && install -d -o ${name} -g ${name} /home/${name}/.config /home/${name}/.config/paneward && ` +
        `printf '[web]\\nport = 0\\n' >${config} && chown ${name} ${config}`,
    );
    return new User(this, name, Number(await this.root(`id -u ${name}`)));
  }

  /** Writes a script where everybody can read it, and returns its path. */
  async script(text: string): Promise<string> {
    const path = `/var/tmp/script-${this.#scripts++}`;
    await podmanSays("exec", this.name, "sh", "-c", 'printf "%s" "$1" >"$0"; chmod 755 "$0"', path, text);
    return path;
  }

  /** Switched off and on again: every process ends, files stay. */
  async reboot(): Promise<void> {
    await podman("restart", "-t", "20", this.name);
    await this.#isUp();
  }

  async remove(): Promise<void> {
    await podman("rm", "-f", "-t", "0", this.name);
  }

  async #isUp(): Promise<void> {
    await until(
      `${this.#suite} is up`,
      async () => {
        const { stdout } = await this.tryRoot("systemctl is-system-running");
        return /^(running|degraded)/.test(stdout);
      },
      60_000,
    );
  }
}

/** The same repository at another path, as another installation. */
export const elsewhere = "/opt/another paneward";

export class User {
  readonly #machine: Machine;
  readonly name: string;
  readonly uid: number;

  constructor(machine: Machine, name: string, uid: number) {
    this.#machine = machine;
    this.name = name;
    this.uid = uid;
  }

  /** Logs in, runs a script, logs out. */
  async login(script: string): Promise<Said> {
    const path = await this.#machine.script(`export LANG=C.UTF-8\n${script}\n`);
    return podmanSays(
      ...["exec", this.#machine.name, "systemd-run", "-q", "-P", "--wait", "su", "-l", this.name, "-c", `bash ${path}`],
    );
  }

  /** The same without a login, and so without what systemd gives to one. */
  async alone(script: string): Promise<Said> {
    const path = await this.#machine.script(`export LANG=C.UTF-8\ncd\n${script}\n`);
    const { name } = this;
    const variables = [`HOME=/home/${name}`, `USER=${name}`, `LOGNAME=${name}`, "SHELL=/bin/bash", `PATH=${usualPath}`];
    return podmanSays(
      ...["exec", this.#machine.name, "setpriv", `--reuid=${name}`, `--regid=${name}`, "--init-groups"],
      ...["env", "-i", ...variables, "bash", path],
    );
  }

  /** In the user's manager, without a login: what a lingering user's programs see. */
  async here(script: string): Promise<Said> {
    return this.alone(`export XDG_RUNTIME_DIR=/run/user/${this.uid}\n${script}`);
  }

  /** Waits until the last login has ended, and what ends with it. From 256 on, systemd counts its manager as a session too. */
  async loggedOut(): Promise<void> {
    await until(
      `${this.name} is logged out`,
      async () => {
        const { stdout } = await this.#machine.tryRoot(
          `for one in $(loginctl show-user ${this.name} -p Sessions --value); do loginctl show-session $one -p Class --value | grep -v ^manager; done; test -e /var/lib/systemd/linger/${this.name} || pgrep -u ${this.name} -x systemd`,
        );
        return stdout.trim() === "";
      },
      60_000,
    );
  }

  async linger(on: boolean): Promise<void> {
    await this.#machine.root(`loginctl ${on ? "enable" : "disable"}-linger ${this.name}`);
  }
}

const usualPath = "/usr/local/bin:/usr/bin:/bin";

async function podman(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await podmanSays(...args);
  if (code !== 0) throw new Error(`podman ${args.join(" ")}: ${stderr}`);
  return stdout;
}

function podmanSays(...args: readonly string[]): Promise<Said> {
  // As tried: runc, and no systemd of the machine that runs the test.
  const common = ["--runtime", "runc", "--cgroup-manager=cgroupfs", "--storage-driver=vfs"];
  return new Promise((done) => {
    execFile(
      "podman",
      [...common, ...args],
      { timeout: 120_000, maxBuffer: 8 * 1_048_576 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : 255;
        done({ code, stdout, stderr });
      },
    );
  });
}
