import { execFile } from "node:child_process";
import { PanewardError } from "@paneward/sdk";

/**
 * Asks the registry of the user's npm for the newest version, by npm itself: its proxies, certificates and registries are
 * known to nobody else. In the root folder, because npm also obeys the configuration of a project that it runs in.
 */
export function newestVersion(env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile("npm", asked, { env, cwd: "/", timeout: timeoutMs, maxBuffer: 1_048_576 }, (error, stdout) => {
      const answer = parsed(stdout);
      if (!error && typeof answer === "string" && isVersion.test(answer)) resolve(answer);
      else reject(failure(error, answer));
    });
  });
}

const asked = ["view", "paneward", "version", "--json", "--fetch-retries=0", "--fetch-timeout=20000"];
const timeoutMs = 30_000;
const isVersion = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:[-+][0-9A-Za-z.+-]{1,100})?$/;

function failure(error: (Error & { readonly code?: unknown }) | null, answer: unknown): PanewardError {
  if (error?.code === "ENOENT") {
    return new PanewardError("unavailable", "npm is not on the PATH, and only npm knows which registry to ask", {
      hint: "look where you got Paneward from; `paneward update` says how to install a newer one",
    });
  }
  const { code, summary } = Object((answer as { readonly error?: unknown } | undefined)?.error);
  if (code === "E404") {
    return new PanewardError("not_found", "the npm registry has no package `paneward`", {
      hint: "it is not published there: look where you got this one from",
    });
  }
  const why = summary ?? code ?? (error && "killed" in error && error.killed ? "no answer in time" : error?.message);
  return new PanewardError("unavailable", `the npm registry cannot be asked: ${firstLine(String(why))}`, {
    hint: "are you offline? `npm ping` shows whether npm reaches its registry",
  });
}

function firstLine(text: string): string {
  return text.split("\n")[0]?.trim() || "npm gave no reason";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
