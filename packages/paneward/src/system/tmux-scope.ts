import { randomBytes } from "node:crypto";
import { launchersFor } from "../model/service/tmux-scope.ts";
import { cgroupsOf, serviceFacts } from "./service-facts.ts";

/** Through what this process starts a tmux server now. */
export function tmuxLaunchers(): readonly (readonly string[])[] {
  return launchersFor({
    ...serviceFacts(process.env),
    cgroups: cgroupsOf("self"),
    mark: randomBytes(8).toString("hex"),
  });
}
