import type { Call } from "../command.ts";
import { serviceOf } from "../service/setting.ts";
import { shellScripts } from "../shells.ts";

export type Setup = typeof import("../../setup/setup.ts");
export type Setting = Parameters<Setup["allSteps"]>[0];
export type Step = ReturnType<Setup["allSteps"]>[number];
export type Look = Awaited<ReturnType<Step["look"]>>;
export type Offer = Extract<Look, { readonly offer: unknown }>["offer"];
export type Edit = Offer["edits"][number];
export type Surroundings = Awaited<ReturnType<Setup["lookAround"]>>;

/** What the steps need to know of this machine and of the command line. */
export function settingOf(call: Call, origins: readonly string[]): Setting {
  const { env, connection, client } = call;
  return {
    env,
    places: connection.places,
    platform: process.platform,
    scripts: shellScripts,
    service: serviceOf(call),
    phones: {
      origins,
      pair: async () => (await import("../commands/pair.ts")).pairDevice(call),
      revoke: async (id) => {
        await client.login_revoke({ id }).catch((error: { readonly code?: string }) => {
          if (error.code !== "not_found") throw error;
        });
      },
    },
  };
}
