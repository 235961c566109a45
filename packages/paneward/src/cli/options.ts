import { PanewardError } from "@paneward/sdk";

/** Typed access to the options of a command line. */
export class Options {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  /** Of `--name` and `--no-name` the one that was typed, if any. */
  choice(name: string): boolean | undefined {
    const value = this.#values[name];
    return typeof value === "boolean" ? value : undefined;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === "string" ? value : undefined;
  }

  list(name: string): readonly string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.map(String) : [];
  }

  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
    throw new PanewardError("bad_input", `--${name} needs a non-negative number, got "${text}"`);
  }
}

/** Refuses what cannot be meant together; the names are as people type them. */
export function requireOne(given: Readonly<Record<string, boolean>>): void {
  const names = Object.keys(given).filter((name) => given[name]);
  if (names.length <= 1) return;
  throw new PanewardError("bad_input", `${names.join(" and ")} cannot be given together`, {
    hint: `leave out ${names.join(" or ")}`,
  });
}

/** Drops undefined fields: operation schemas do not accept them. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>;
}

type Given<Fields> = { [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name] } & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};
