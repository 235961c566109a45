import { errorTable, PanewardError, systemFailure } from "@paneward/sdk";

/** A failure as the command line reports it. */
export interface Failure {
  readonly message: string;
  readonly hint: string | undefined;
  readonly exitCode: number;
}

/** The general hint "paneward COMMAND --help" gets the name of the command that failed. */
export function failureOf(given: unknown, command = "COMMAND"): Failure {
  const error = systemFailure(given) ?? given;
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
