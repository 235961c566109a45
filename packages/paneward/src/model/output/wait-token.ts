import type { Waited } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";

/** Where a wait that timed out resumes: the results so far, and how far output was searched. */
export interface WaitProgress {
  readonly done: readonly Waited[];
  readonly cursors: Readonly<Record<string, string>>;
}

export function formatToken(progress: WaitProgress): string {
  return btoa(encodeURIComponent(JSON.stringify(progress)));
}

/** Undefined unless the token holds results and cursors as `formatToken` writes them: a caller may have made it up. */
export function parseToken(token: string): WaitProgress | undefined {
  try {
    const { done, cursors } = JSON.parse(decodeURIComponent(atob(token))) as Partial<WaitProgress>;
    const { results } = operations.wait.output.parse({ results: done });
    if (results.some(({ kind }) => kind === "timed_out") || !isTexts(cursors)) return undefined;
    return { done: results, cursors };
  } catch {
    return undefined;
  }
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject && Object.values(value).every((one) => typeof one === "string");
}
