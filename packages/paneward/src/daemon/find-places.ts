import { type Config, type Places, placesOf } from "@paneward/sdk";
import { readConfigFiles } from "../system/config-files.ts";

/** Where the daemon keeps things: the environment decides first, then the user's configuration. */
export async function findPlaces(): Promise<{ readonly places: Places; readonly config: Config }> {
  const { userConfig } = placesOf(process.env);
  const { config } = await readConfigFiles(userConfig, undefined);
  return { places: placesOf(process.env, config.daemon), config };
}
