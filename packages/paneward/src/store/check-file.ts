import { PanewardError } from "@paneward/sdk";
import { planRepair } from "./repair.ts";

/** What is wrong with a database that no daemon uses, and what helps; nothing is changed. */
export function checkFile(path: string, now: number) {
  const name = "database";
  try {
    const { problem, aside } = planRepair(path, now);
    if (problem !== undefined) return { name, ok: false, detail: problem, hint: repairs };
    return { name, ok: true, detail: aside === undefined ? `${path}, not made yet` : path };
  } catch (error) {
    if (!(error instanceof PanewardError)) throw error;
    return { name, ok: false, detail: error.message, hint: error.hint };
  }
}

const repairs = "`paneward doctor --repair` restores the newest good backup";
