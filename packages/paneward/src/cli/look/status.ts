import type { End, Status } from "@paneward/sdk";
import type { Colour } from "./out.ts";

/** The colour of a status: green works, yellow wants you, red went wrong. */
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

/** How something ended, as a sentence's end: `exited with code 3`. */
export function endWords(end: End): string {
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
      return "ended, and nobody knows how";
  }
}
