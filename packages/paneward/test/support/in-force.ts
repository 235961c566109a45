import { defaultConfig } from "@paneward/sdk/config";
import type { ConfigInForce } from "../../src/runtime/ports.ts";

/** The configuration of a project that has no files: the defaults, and what a test sets. */
export function inForce(
  config: Partial<ConfigInForce["config"]> = {},
  project: Partial<ConfigInForce["project"]> = {},
): ConfigInForce {
  return {
    config: { ...defaultConfig, ...config },
    files: [],
    warnings: [],
    project: { agents: {}, bootstrapCmd: undefined, ...project },
  };
}
