import { type CapabilityResult, type ErrorCode, errorTable, PanewardError } from "@paneward/sdk";
import { type CapabilityActionName, callText, capabilityActions } from "@paneward/sdk/reference";

/** A failed action with an error message and a suggested call. Thrown inside, returned as a result. */
export class Refusal extends Error {
  readonly suggestion: string;
  readonly code: ErrorCode;

  constructor(error: string, suggestion: string, code: ErrorCode = "bad_input") {
    super(error);
    this.suggestion = suggestion;
    this.code = code;
  }
}

export function succeeded(data: Readonly<Record<string, unknown>>): CapabilityResult {
  return { success: true, data };
}

/** An error as a capability result, and its code. Unexpected errors are rethrown, and the door logs them. */
export function failed(
  error: unknown,
  action?: CapabilityActionName,
): { readonly result: CapabilityResult; readonly code: ErrorCode } {
  if (!(error instanceof Refusal || error instanceof PanewardError)) throw error;
  const suggestion = error instanceof Refusal ? error.suggestion : suggestionFor(error, action);
  return { result: { success: false, error: error.message, suggestion }, code: error.code };
}

// Default hints name commands, but a model has only this capability. An unreachable host has its own hint, which says
// how to start or test it.
function suggestionFor({ code, hint }: PanewardError, action: CapabilityActionName = "list"): string {
  if (code === "bad_input") return callText(action, capabilityActions[action].example);
  return code === "unavailable" && hint !== errorTable.unavailable.hint ? hint : callText("list");
}

/** Adds the caller's host to a suggested call. */
export function onSameHost(result: CapabilityResult, host: string | undefined): CapabilityResult {
  if (result.success || host === undefined || !result.suggestion.startsWith("<capability")) return result;
  if (result.suggestion.includes(' host="')) return result;
  return { ...result, suggestion: result.suggestion.replace(/ \/>$/, ` host="${host}" />`) };
}

/** The wording is documented for models: keep it. */
export function noSuchPane(address: string): Refusal {
  return new Refusal(`Pane ${address} not found`, "Use action='list' to see available panes", "not_found");
}

export function noSuchWindow(number: number): Refusal {
  return new Refusal(`Window ${number} not found`, "Use action='list' to see available windows", "not_found");
}
