import type { TeamAgent } from "@paneward/sdk";
import { TeamFailure, type TeamFailureCode } from "../../model/team/failure.ts";

const maxText = 200_000;

/** The fields of a request to /v1, from its body or its query. A wrong one is answered with the code of what it is in. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  text(name: string, code: TeamFailureCode, otherwise?: string): string {
    const value = this.#values[name] ?? otherwise;
    if (typeof value === "string" && value.length <= maxText) return value;
    throw new TeamFailure(code, `${name} is a text of at most ${maxText} characters`);
  }

  optional(name: string, code: TeamFailureCode): string | undefined {
    return this.#values[name] === undefined || this.#values[name] === null ? undefined : this.text(name, code);
  }

  title(): string {
    const title = this.text("title", "INVALID_TASK").trim();
    if (title !== "") return title;
    throw new TeamFailure("INVALID_TASK", "a task needs a title");
  }

  texts(name: string, code: TeamFailureCode): readonly string[] {
    const value = this.#values[name] ?? [];
    const fits = Array.isArray(value) && value.length <= 1_000;
    if (fits && value.every((one) => typeof one === "string" && one.length <= 4_096)) return value;
    throw new TeamFailure(code, `${name} is a list of texts`);
  }

  whole(name: string, code: TeamFailureCode, otherwise?: number): number {
    const value = this.#values[name] ?? otherwise;
    const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
    if (typeof number === "number" && Number.isSafeInteger(number) && number >= 0) return number;
    throw new TeamFailure(code, `${name} is a whole number`);
  }

  seconds(name: string, most: number): number {
    return Math.min(most, this.whole(name, "INVALID_TASK", 0));
  }

  /** How long a lease shall last: a second to a day. */
  ttl(): { readonly ttlMs?: number } {
    if (this.#values.ttlMs === undefined) return {};
    return { ttlMs: Math.min(86_400_000, Math.max(1_000, this.whole("ttlMs", "INVALID_TASK"))) };
  }

  agents(): TeamAgent[] {
    const value = this.#values.agents ?? [];
    if (!Array.isArray(value) || value.length > 100) throw new TeamFailure("INVALID_AGENT_ID", "agents is a list");
    return value.map((one: unknown) => {
      const fields = new Fields(Object(one) as Readonly<Record<string, unknown>>);
      const model = fields.optional("model", "INVALID_AGENT_ID");
      const id = fields.text("id", "INVALID_AGENT_ID");
      const role = fields.text("role", "INVALID_AGENT_ID", "worker");
      return { id, role, ...(model === undefined ? {} : { model }) };
    });
  }
}
