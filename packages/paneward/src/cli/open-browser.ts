import { spawn } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Why no browser can be opened for the person at this terminal; undefined if one can. */
export function noBrowserBecause(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  if (env.SSH_CONNECTION || env.SSH_TTY) return "this is an ssh session";
  if (platform === "darwin" || env.DISPLAY || env.WAYLAND_DISPLAY) return undefined;
  return "there is no desktop here";
}

/**
 * Opens a link that is a secret. The browser gets the path of a file that only this user can read, and the file leads to the link:
 * every user of the machine can see the arguments of a process. Returns why it could not be opened.
 */
export async function openBrowser(
  url: string,
  folder: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Promise<string | undefined> {
  const file = join(folder, "open.html");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await rm(file, { force: true });
  await writeFile(file, pageTo(url), { mode: 0o600, flag: "wx" });
  const opener = platform === "darwin" ? "open" : "xdg-open";
  const failed = await started(opener, pathToFileURL(file).href, env);
  if (failed !== undefined) await rm(file, { force: true });
  return failed;
}

function pageTo(url: string): string {
  const safe = url.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${safe}"><title>Paneward</title><a href="${safe}">Open the dashboard</a>
`;
}

/** It may stay for as long as the browser: what has not failed after a moment has started. */
function started(opener: string, address: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(opener, [address], { env, stdio: "ignore", detached: true });
    const timer = setTimeout(() => resolve(undefined), failsWithinMs);
    const end = (why: string | undefined) => {
      clearTimeout(timer);
      resolve(why);
    };
    child.once("error", (error: NodeJS.ErrnoException) =>
      end(error.code === "ENOENT" ? `${opener} is not installed` : error.message),
    );
    child.once("exit", (code) => end(code === 0 ? undefined : `${opener} failed with code ${code}`));
    child.unref();
  });
}

const failsWithinMs = 2_000;
