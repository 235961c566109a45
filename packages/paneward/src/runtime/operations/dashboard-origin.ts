import { PanewardError } from "@paneward/sdk";
import { loopbackOrigin } from "../access/logins.ts";
import type { World } from "../world.ts";

/** Where the dashboard is opened: an origin of the configuration that was asked for, else the one that `prefer` finds. */
export function dashboardOrigin(
  world: Pick<World, "httpPort" | "origins">,
  wanted: string | undefined,
  prefer: (origins: readonly string[]) => string | undefined = ([first]) => first,
): string {
  const port = world.httpPort();
  if (port === undefined) {
    throw new PanewardError("unavailable", "the daemon has no port on loopback, so there is no dashboard", {
      hint: "set another `port` under [web] in config.toml, then `paneward daemon restart`",
    });
  }
  const known = [loopbackOrigin(port), ...world.origins];
  const origin = wanted === undefined ? prefer(known) : known.find((one) => one === wanted);
  if (origin !== undefined) return origin;
  throw new PanewardError("bad_input", "the dashboard is not opened under this origin", {
    hint: `one of ${known.join(", ")}; others belong in \`origins\` under [web] in config.toml, then \`paneward daemon restart\``,
  });
}
