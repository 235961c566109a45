import {
  type CapabilityActionName,
  type CapabilityResult,
  callText,
  capabilityActions,
  errorTable,
  PanewardError,
} from "@paneward/sdk";

/** An answer that says what went wrong, and a call that may be copied. Thrown inside, answered at the door. */
export class Refusal extends Error {
  readonly suggestion: string;

  constructor(error: string, suggestion: string) {
    super(error);
    this.suggestion = suggestion;
  }
}

export function succeeded(data: Readonly<Record<string, unknown>>): CapabilityResult {
  return { success: true, data };
}

/** A failure in the shape that models know. What nobody foresaw is thrown on: the door logs it. */
export function failed(error: unknown, action?: CapabilityActionName): CapabilityResult {
  if (error instanceof Refusal) return { success: false, error: error.message, suggestion: error.suggestion };
  if (!(error instanceof PanewardError)) throw error;
  return { success: false, error: error.message, suggestion: suggestionFor(error, action) };
}

// Hints for people name commands of the command line; a model has only this capability. A host that is away has a hint
// of its own that says how to start or to try it.
function suggestionFor({ code, hint }: PanewardError, action: CapabilityActionName = "list"): string {
  if (code === "bad_input") return callText(action, capabilityActions[action].example);
  return code === "unavailable" && hint !== errorTable.unavailable.hint ? hint : callText("list");
}

/** A call that is offered for copying goes to the host that was asked for. */
export function onSameHost(result: CapabilityResult, host: string | undefined): CapabilityResult {
  if (result.success || host === undefined || !result.suggestion.startsWith("<capability")) return result;
  if (result.suggestion.includes(' host="')) return result;
  return { ...result, suggestion: result.suggestion.replace(/ \/>$/, ` host="${host}" />`) };
}

/** The words that models know for a pane that is not there. */
export function noSuchPane(address: string): Refusal {
  return new Refusal(`Pane ${address} not found`, "Use action='list' to see available panes");
}

export function noSuchWindow(number: number): Refusal {
  return new Refusal(`Window ${number} not found`, "Use action='list' to see available windows");
}
