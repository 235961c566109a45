import { errorTable, PanewardError } from "@paneward/sdk";

/** What a failure looks like on a command line: a sentence, what to do next, and an exit code. */
export interface Failure {
  readonly message: string;
  readonly hint: string | undefined;
  readonly exitCode: number;
}

/** With the name of the command, a hint that would say no more than the table's leads to its help. */
export function failureOf(error: unknown, command = "COMMAND"): Failure {
  if (error instanceof PanewardError) {
    const hint = error.hint.replace("paneward COMMAND --help", `paneward ${command} --help`);
    return { message: error.message, hint, exitCode: errorTable[error.code].exitCode };
  }
  const { message } = error instanceof Error ? error : new Error(String(error));
  return { message, hint: errorTable.unexpected.hint, exitCode: 1 };
}

export function printFailure({ message, hint }: Failure, note: (text: string) => void): void {
  note(`paneward: ${message}`);
  if (hint) note(`hint: ${hint}`);
}
