import { existsSync } from "node:fs";
import { extname, join, resolve } from "node:path";

/** How this command line came here, and the commands that bring a newer one. */
export interface Installed {
  readonly by: "clone" | "npm" | "npx" | "install.sh";
  readonly commands: readonly string[];
}

/** By the place of a file of this package, such as `…/paneward/dist/cli/main.js`. */
export function installedBy(file: string, exists: (path: string) => boolean = existsSync): Installed {
  const restart = "paneward daemon restart";
  const top = resolve(file, "../../..");
  if (extname(file) === ".ts") return { by: "clone", commands: ["git pull", "npm start"] };
  if (exists(join(top, "../../../install.sh")))
    return { by: "install.sh", commands: ["sh install.sh    # the one of the new release", restart] };
  if (top.includes("/_npx/")) return { by: "npx", commands: ["npx paneward@latest daemon restart"] };
  return { by: "npm", commands: ["npm install -g paneward@latest", restart] };
}
