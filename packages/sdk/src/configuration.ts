// What reads and explains config.toml: apart from the rest, so that pages of a browser do not load it.
export { configTable, defaultConfig, maxConfigBytes, mergeConfig } from "./config.ts";
export { channelTable } from "./notice-channels.ts";
export { originProblem } from "./origins.ts";
