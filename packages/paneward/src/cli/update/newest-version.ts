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
  const code = error ? codeIn(answer) : undefined;
  if (code === "E404") {
    return new PanewardError("not_found", "the npm registry has no package `paneward`", {
      hint: "it is not published there: look where you got this one from",
    });
  }
  return new PanewardError("unavailable", `the npm registry cannot be asked: ${reasonOf(error, code)}`, {
    hint: "are you offline? `npm ping` shows whether npm reaches its registry",
  });
}

// What npm says in words may be the registry's own; its codes are letters and digits.
function codeIn(answer: unknown): string | undefined {
  const { code } = Object((answer as { readonly error?: unknown } | undefined)?.error);
  return typeof code === "string" && /^E[A-Z0-9_]{2,30}$/.test(code) ? code : undefined;
}

function reasonOf(
  error: (Error & { readonly code?: unknown; readonly killed?: boolean }) | null,
  code?: string,
): string {
  if (!error) return "its answer is no version";
  if (error.killed) return "no answer in time";
  if (code !== undefined) return `npm says ${code}`;
  return typeof error.code === "number" ? `npm ended with code ${error.code}` : "npm ended";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
