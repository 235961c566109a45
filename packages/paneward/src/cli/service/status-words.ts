import type { ErrorCode } from "@paneward/sdk";

type Standing = Awaited<ReturnType<typeof import("../../service/service.ts")["serviceStanding"]>>;

export interface StatusFacts {
  readonly manager: "systemd" | "launchd";
  readonly path: string;
  readonly file: "none" | "ours" | "foreign";
  readonly written: NonNullable<Standing["installed"]>["written"] | undefined;
  /** The file is as this installation would write it, apart from variables. */
  readonly isSound: boolean;
  readonly unit: Standing["unit"];
  readonly user: string;
  readonly isLingering: boolean;
  /** Of this command line. */
  readonly version: string;
  readonly program: string;
  readonly home: string;
  readonly log: string;
  readonly daemon: { readonly pid: number; readonly version: string; readonly age: string } | undefined;
  readonly tmux: { readonly pid: number; readonly hasOwnScope: boolean } | undefined;
}

/** The service in words, what is wrong with it first, and what to do about that. */
export function statusOf(facts: StatusFacts): {
  readonly rows: readonly (readonly [string, string])[];
  readonly problem?: ErrorCode;
  readonly hint?: string;
} {
  const { file, path, manager, unit, isLingering, user } = facts;
  const rows: (readonly [string, string])[] = [
    ["installed", installedWords(facts)],
    ...(facts.written ? [["version", versionWords(facts)] as const] : []),
    ["enabled", unit.isEnabled ? `yes, it begins with ${manager === "systemd" ? "the machine" : "your login"}` : "no"],
    ["running", runningWords(facts)],
    ...(manager === "systemd"
      ? [
          [
            "lingering",
            isLingering ? `yes, ${user}'s services need no login` : "no, they end with the last logout",
          ] as const,
        ]
      : []),
    ["terminals", terminalWords(facts)],
    ["log", facts.log],
  ];
  if (file === "none") return { rows, problem: "not_found", hint: "`paneward service install` installs it" };
  if (file === "foreign")
    return {
      rows,
      problem: "conflict",
      hint: `\`paneward service install\` replaces ${path}, and \`uninstall\` puts it back`,
    };
  if (facts.written?.home !== facts.home)
    return { rows, problem: "conflict", hint: `\`export PANEWARD_HOME=${facts.written?.home}\` looks at that one` };
  if (unit.active !== "active") return { rows, problem: "not_found", hint: notRunningHint(facts) };
  if (!isLingering) return { rows, problem: "no_linger", hint: `\`sudo loginctl enable-linger ${user}\`` };
  if (!unit.isEnabled || !facts.isSound)
    return {
      rows,
      problem: "conflict",
      hint: "`paneward service install` repairs it, or moves it to this installation",
    };
  return { rows };
}

function installedWords({ file, path, manager, written, home }: StatusFacts): string {
  if (file === "none") return "no";
  if (file === "foreign") return `${path}, not written by Paneward`;
  return written?.home === home ? `${path}, for ${manager}` : `${path}, for another state folder, ${written?.home}`;
}

function versionWords({ written, version, program, isSound }: StatusFacts): string {
  if (written?.program !== program) return `${written?.version}, another installation: ${written?.program}`;
  return isSound ? `${version}, this installation` : `${version}, this installation, changed by hand`;
}

function runningWords({ unit, daemon }: StatusFacts): string {
  const again = unit.restarts > 0 ? `, started again ${unit.restarts} times` : "";
  if (unit.active === "active" && daemon)
    return `yes, pid ${unit.pid}, version ${daemon.version}, up ${daemon.age}${again}`;
  if (unit.active === "active") return `yes, pid ${unit.pid}${again}`;
  const how = unit.active === "failed" ? `no, it failed: ${failureWords(unit)}${again}` : `no, it is ${unit.active}`;
  return daemon ? `${how}; a daemon that the service did not start runs, pid ${daemon.pid}` : how;
}

function failureWords({ result, exitStatus }: StatusFacts["unit"]): string {
  return result === "exit-code" ? `exit code ${exitStatus}` : result;
}

function notRunningHint({ daemon }: StatusFacts): string {
  if (daemon) return "`paneward daemon restart` hands the daemon over to the service";
  return "`paneward daemon start` starts it; `paneward service logs` shows what it said";
}

function terminalWords({ tmux, isLingering, manager }: StatusFacts): string {
  if (!tmux) return "none: no tmux server runs";
  const server = `tmux server ${tmux.pid}`;
  if (manager === "launchd") return server;
  if (tmux.hasOwnScope)
    return `${server}, in a scope of its own${isLingering ? ": outlasts the daemon and your logout" : ""}`;
  return `${server}, not in a scope of its own: begun before the service was, or without systemd`;
}
