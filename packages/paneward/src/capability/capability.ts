import { PanewardError } from "@paneward/sdk";
import type { Handlers } from "../runtime/handlers.ts";

/** The door for language models that speak the capability `tmux`. */
export function createCapability(): Pick<Handlers, "capability"> {
  return {
    capability: async () => {
      throw new PanewardError("unavailable", "the capability is not served yet");
    },
  };
}
