/** A call in the form a model writes, ready to copy. */
export function callText(action: string, parameters: Readonly<Record<string, string>> = {}): string {
  const written = Object.entries(parameters).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  return `<capability name="tmux" action="${escaped(action)}"${written.join("")} />`;
}

export interface CapabilityAction {
  readonly what: string;
  /** What a result holds as its data. */
  readonly data: string;
  readonly parameters: Readonly<Record<string, ActionParameter>>;
  /** The parameter that the tag's body provides. */
  readonly body?: string;
  /** Parameters of a working example. */
  readonly example: Readonly<Record<string, string>>;
}

interface Described {
  readonly what: string;
  readonly required?: true;
  /** What it is if it is not given and exists; otherwise the first of its kind. */
  readonly usual?: string;
}

/** The type of a parameter. XML has only text, so numbers and flags may also be given as text. */
export type ActionParameter = Described &
  (
    | { readonly kind: "text" | "line"; readonly maxLength: number; readonly default?: string }
    | { readonly kind: "address" | "name" | "path"; readonly default?: string }
    | { readonly kind: "whole"; readonly min: number; readonly max: number; readonly default?: number }
    | { readonly kind: "seconds"; readonly max: number; readonly default?: number }
    | { readonly kind: "flag"; readonly default?: boolean }
    | { readonly kind: "choice"; readonly choices: readonly string[]; readonly default?: string }
  );

type ValueOf<One extends ActionParameter> = One extends { readonly kind: "choice"; readonly choices: infer Choices }
  ? Choices extends readonly (infer Choice)[]
    ? Choice
    : never
  : One extends { readonly kind: "flag" }
    ? boolean
    : One extends { readonly kind: "whole" | "seconds" }
      ? number
      : string;

type AlwaysPresent = { readonly required: true } | { readonly default: unknown };

/** The parameters of an action after parsing: those with a default are always present. */
export type ParametersOf<Action extends CapabilityAction> = {
  readonly [Name in keyof Action["parameters"] as Action["parameters"][Name] extends AlwaysPresent
    ? Name
    : never]: ValueOf<Action["parameters"][Name]>;
} & {
  readonly [Name in keyof Action["parameters"] as Action["parameters"][Name] extends AlwaysPresent
    ? never
    : Name]?: ValueOf<Action["parameters"][Name]>;
};

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]|[\u0000-\u001f]/g, (char) => entities[char] ?? `&#${char.charCodeAt(0)};`);
}
