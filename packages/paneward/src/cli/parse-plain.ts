import type { Command, Option } from "./command.ts";
import type { Chosen } from "./parse.ts";

/**
 * Parses the usual command line: a known command, its options in full, its arguments. Undefined for everything else, such as
 * help, a mistake, `--` or bundled letters, which the parser of all command lines understands; loading that one takes a
 * tenth of a short command's time.
 */
export function parsePlain(argv: readonly string[], commands: readonly Command[]): Chosen | undefined {
  const command = commandOf(argv, commands);
  if (!command || command.passesOn) return undefined;
  const options = optionsOf(command);
  const given = options && sort(argv.slice(command.name.split(" ").length), options);
  if (!given || !takes(command.takes, given.args.length)) return undefined;
  return { command, args: given.args, options: { ...usualOf(options), ...given.values } };
}

function commandOf(argv: readonly string[], commands: readonly Command[]): Command | undefined {
  const typed = commands.filter(({ name }) => name.split(" ").every((word, at) => word === argv[at]));
  return typed.toSorted((a, b) => b.name.length - a.name.length)[0];
}

/** Arguments and options, in the order in which they were typed. */
function sort(words: readonly string[], options: readonly PlainOption[]) {
  const values: Record<string, unknown> = {};
  const args: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) {
      args.push(word);
      continue;
    }
    const option = options.find(({ flags }) => flags.includes(word));
    if (!option) return undefined;
    const { name, takesValue, isRepeated, isNegated } = option;
    const value = takesValue ? words[++at] : !isNegated;
    // What looks like an option may be meant as one.
    if (value === undefined || (typeof value === "string" && value.startsWith("-"))) return undefined;
    const before = values[name];
    values[name] = isRepeated ? [...(Array.isArray(before) ? before : []), value] : value;
  }
  return { args, values };
}

interface PlainOption {
  readonly flags: readonly string[];
  readonly name: string;
  readonly takesValue: boolean;
  readonly isRepeated: boolean;
  readonly isNegated: boolean;
}

/** `--no-x` without an `--x` means that x is the usual. */
function usualOf(options: readonly PlainOption[]): Readonly<Record<string, true>> {
  const isPositive = (name: string) => options.some((one) => one.name === name && !one.isNegated);
  const usual = options.filter(({ name, isNegated }) => isNegated && !isPositive(name));
  return Object.fromEntries(usual.map(({ name }) => [name, true as const]));
}

/** Undefined if one of them may do without its value. */
function optionsOf({ options = [], json }: Command): readonly PlainOption[] | undefined {
  const all = [...options, ...(json === false ? [] : [["--json", ""] as const]), ["--quiet", ""] as const].map(
    optionOf,
  );
  const known = all.filter((option) => option !== undefined);
  return known.length === all.length ? known : undefined;
}

function optionOf([text, , repeated]: Option): PlainOption | undefined {
  const [, short, long, value = ""] = /^(?:(-\w), )?--([a-z][a-z-]*)( <\S+>)?$/.exec(text) ?? [];
  if (long === undefined) return undefined;
  const name = long.replace(/^no-/, "").replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const flags = [`--${long}`, ...(short === undefined ? [] : [short])];
  const isNegated = long.startsWith("no-");
  return { flags, name, takesValue: value !== "", isRepeated: repeated !== undefined, isNegated };
}

/** Whether a command takes so many arguments: `<id> [text...]` takes one or more. */
function takes(usage: string | undefined, count: number): boolean {
  const places = usage === undefined ? [] : usage.split(" ");
  const least = places.filter((place) => place.startsWith("<")).length;
  const most = places.some((place) => place.includes("...")) ? Number.POSITIVE_INFINITY : places.length;
  return count >= least && count <= most;
}
