import { type ErrorCode, PanewardError, systemFailure } from "@paneward/sdk";
import { TmuxError, type TmuxErrorType } from "@paneward/tmux";

/** A host as errors name it. */
interface Host {
  readonly name: string;
  readonly prefix: readonly string[];
}

/** Turns errors of the tmux driver into PanewardErrors, with a code, a certainty and a hint. */
export async function translateErrors<Result>(host: Host | undefined, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof TmuxError ? translate(host ?? thisMachine, error) : error;
  }
}

const thisMachine: Host = { name: "local", prefix: [] };

/** For connecting to a host: the actual work has not started yet. */
export async function translateConnectErrors<Result>(host: Host, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof TmuxError ? connectError(host, error) : error;
  }
}

function connectError(host: Host, error: TmuxError): PanewardError {
  const { name, prefix } = host;
  if (isNotRunning(error)) return containerNotRunning(host, error);
  const isLate = error.type === "timeout" || error.type === "unknown";
  if (prefix.length === 0 && !isLate) return translate(host, error, "unavailable");
  const [, late, why] = /^(no answer within \d+ ms)|^(?:the host does not answer: )?(.*)/s.exec(error.message) ?? [];
  const wanted = error.type === "tmux_not_installed" || error.type === "version_unsupported" ? "tmux -V" : "true";
  const hint = prefix.length > 0 ? `try it by hand: ${[...prefix, wanted].join(" ")}` : "`paneward doctor`";
  const message = `cannot connect to host ${JSON.stringify(name)}: ${late ?? why}; nothing was done there`;
  return new PanewardError("unavailable", message, { hint, cause: error, errorType: error.type });
}

/** For calls where a missing pane is a normal outcome. */
export function undefinedIfGone(error: unknown): undefined {
  if (error instanceof TmuxError && (error.type === "pane_not_found" || error.type === "session_not_found"))
    return undefined;
  throw error;
}

const codes: Readonly<Record<TmuxErrorType, ErrorCode>> = {
  pane_not_found: "wrong_state",
  session_not_found: "wrong_state",
  no_pane_id: "bad_input",
  name_invalid: "bad_input",
  send_failed: "wrong_state",
  // A missing program or folder.
  subprocess_failed: "bad_input",
  tmux_not_installed: "unavailable",
  version_unsupported: "unavailable",
  cursor_invalid: "bad_input",
  journal_missing: "unavailable",
  server_lost: "unavailable",
  // `delivered: "maybe"` is handled before this table is used.
  timeout: "unavailable",
  unknown: "unavailable",
};

const hints: Readonly<Partial<Record<TmuxErrorType, string>>> = {
  cursor_invalid: "take the cursor from an earlier read of this terminal",
  journal_missing:
    "move away what is in its place, or move back what is gone; output is then kept again within seconds",
};

// Messages of docker, podman and kubectl when the container is not running.
const notRunning =
  /container \S+ is not running|no such container|can only create exec sessions on running containers|container state improper|is not running: container/i;

function translate(host: Host, error: TmuxError, certain: ErrorCode = codes[error.type]): PanewardError {
  if (isNotRunning(error)) return containerNotRunning(host, error);
  const refused = error.delivered === "no" ? systemFailure(error.cause) : undefined;
  if (refused) return refused;
  const code = error.delivered === "maybe" && error.type !== "server_lost" ? "outcome_unknown" : certain;
  const hint = hints[error.type];
  return new PanewardError(code, error.message, {
    cause: error,
    errorType: error.type,
    ...(hint === undefined ? {} : { hint }),
  });
}

function isNotRunning({ message, stderr }: TmuxError): boolean {
  return notRunning.test(`${message} ${stderr}`);
}

// Models know the first words of both; the rest says which container.
function containerNotRunning({ name, prefix }: Host, cause: TmuxError): PanewardError {
  const container = prefix.findLast((word) => word !== "--") ?? "";
  const message = `Sandbox container not running: ${container} of host ${JSON.stringify(name)}`;
  const hint = `Start container: ${startCommand(prefix, container, cause)}`;
  return new PanewardError("unavailable", message, { hint, cause });
}

// A container that exists is started under its name, by the engine that the prefix calls; otherwise compose makes it.
function startCommand(prefix: readonly string[], container: string, { message, stderr }: TmuxError): string {
  const at = prefix.indexOf("exec");
  const isThere = !/no such container/i.test(`${message} ${stderr}`);
  const isCompose = container === "coachartie-sandbox";
  if (at < 1 || isCompose || !isThere || prefix[0] === "kubectl") return "docker-compose up -d sandbox";
  return [...prefix.slice(0, at), "start", container].join(" ");
}
