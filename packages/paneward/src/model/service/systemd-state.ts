/** What systemd says about the unit. */
export interface UnitState {
  readonly isLoaded: boolean;
  readonly isEnabled: boolean;
  /** The file that it was read from; undefined where the manager does not say. */
  readonly file: string | undefined;
  /** `active`, `inactive`, `failed`, `activating` and such. */
  readonly active: string;
  readonly pid: number | undefined;
  /** Why it failed, such as `exit-code`. */
  readonly result: string;
  readonly exitStatus: number;
  readonly restarts: number;
}

export const askedProperties = [
  ...["LoadState", "UnitFileState", "ActiveState", "MainPID", "Result", "ExecMainStatus", "NRestarts", "FragmentPath"],
] as const;

/** Reads the output of `systemctl show`. */
export function readState(text: string): UnitState {
  const rows = new Map(
    text.split("\n").map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  const value = (name: (typeof askedProperties)[number]) => rows.get(name) ?? "";
  const pid = Number(value("MainPID"));
  return {
    isLoaded: value("LoadState") === "loaded",
    isEnabled: value("UnitFileState") === "enabled",
    file: value("FragmentPath") || undefined,
    active: value("ActiveState") || "unknown",
    pid: pid > 0 ? pid : undefined,
    result: value("Result"),
    exitStatus: Number(value("ExecMainStatus")) || 0,
    restarts: Number(value("NRestarts")) || 0,
  };
}

/** Reads the output of `launchctl print`; undefined: the job is not loaded. */
export function readJob(text: string | undefined): UnitState {
  const pid = Number(/^\s*pid = (\d+)$/m.exec(text ?? "")?.[1]);
  const status = Number(/^\s*last exit code = (\d+)/m.exec(text ?? "")?.[1]) || 0;
  return {
    isLoaded: text !== undefined,
    isEnabled: text !== undefined,
    file: undefined,
    active: pid > 0 ? "active" : text === undefined ? "inactive" : status === 0 ? "inactive" : "failed",
    pid: pid > 0 ? pid : undefined,
    result: status === 0 ? "success" : "exit-code",
    exitStatus: status,
    restarts: 0,
  };
}
