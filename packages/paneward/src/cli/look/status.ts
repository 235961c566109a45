import type { End, Status } from "@paneward/sdk";
import type { Colour } from "./out.ts";

/** Green: working. Yellow: needs you. Red: failed. */
export const statusColours: Readonly<Record<Status, Colour>> = {
  Draft: "dim",
  Stopped: "magenta",
  Running: "green",
  Idle: "blue",
  Waiting: "yellow",
  Exited: "cyan",
  Completed: "dim",
  Lost: "red",
};

export function statusColour({ status, end }: { readonly status: Status; readonly end?: End | undefined }): Colour {
  const failed = end?.kind === "killed" || (end?.kind === "exited" && end.code !== 0);
  return status === "Exited" && failed ? "red" : statusColours[status];
}

/** How a program ended, as a predicate: `exited with code 3`. */
export function endText(end: End): string {
  switch (end.kind) {
    case "exited":
      return `exited with code ${end.code}`;
    case "killed":
      return `was killed by signal ${end.signal}`;
    case "stopped":
      return `was stopped by ${end.by}`;
    case "lost":
      return `was lost: ${end.reason}`;
    case "unknown":
      return "ended, exit status unknown";
  }
}
