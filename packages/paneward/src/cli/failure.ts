import { errorTable, PanewardError } from "@paneward/sdk";

/** What a failure looks like on a command line: a sentence, what to do next, and an exit code. */
export interface Failure {
  readonly message: string;
  readonly hint: string | undefined;
  readonly exitCode: number;
}

export function failureOf(error: unknown): Failure {
  if (error instanceof PanewardError) {
    return { message: error.message, hint: error.hint, exitCode: errorTable[error.code].exitCode };
  }
  const { message } = error instanceof Error ? error : new Error(String(error));
  return { message, hint: errorTable.unexpected.hint, exitCode: 1 };
}

export function printFailure({ message, hint }: Failure, note: (text: string) => void): void {
  note(`paneward: ${message}`);
  if (hint) note(`hint: ${hint}`);
}
