import type { ActionParameter } from "@paneward/sdk/reference";

export type Coerced = { readonly value: string | number | boolean } | { readonly problem: string };

/** Converts one parameter. XML gives only text, JSON also numbers and booleans; both are accepted. */
export function coerce(parameter: ActionParameter, given: unknown): Coerced {
  if (typeof given !== "string" && typeof given !== "number" && typeof given !== "boolean") {
    return { problem: "must be text, a number or a boolean" };
  }
  const text = String(given);
  switch (parameter.kind) {
    case "flag":
      return flag(text.trim().toLowerCase());
    case "whole":
      return within(/^\d{1,9}$/.test(text.trim()), Number(text), parameter.min, parameter.max, "a whole number");
    case "seconds":
      return within(/^\d{1,6}(\.\d{1,6})?$/.test(text.trim()), Number(text), 0, parameter.max, "a number of seconds");
    case "choice": {
      const chosen = parameter.choices.find((choice) => choice === text.trim().toLowerCase());
      return chosen ? { value: chosen } : { problem: `must be ${parameter.choices.join(" or ")}` };
    }
    case "address":
      return /^\d{1,6}\.\d{1,6}$/.test(text.trim())
        ? { value: text.trim().split(".").map(Number).join(".") }
        : { problem: "must be window.pane, as in 0.1" };
    default:
      return coerceText(parameter, text);
  }
}

function coerceText(parameter: ActionParameter, text: string): Coerced {
  const { kind } = parameter;
  if (text.includes("\0")) return { problem: "cannot hold a NUL character" };
  if (kind !== "text" && control.test(text)) return { problem: "cannot hold control characters or line breaks" };
  if (kind === "text" || kind === "line") {
    return text.length <= parameter.maxLength
      ? { value: text }
      : { problem: `is longer than ${parameter.maxLength} characters` };
  }
  if (kind === "path") {
    return text.startsWith("/") && text.length <= 4_096 ? { value: text } : { problem: "must be an absolute path" };
  }
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/.test(text)
    ? { value: text }
    : { problem: "must have 1 to 60 letters, digits, dots, - or _ and begin with a letter or digit" };
}

const control = /[\u0000-\u001f\u007f]/;
const words: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, on: true, "1": true },
  ...{ false: false, no: false, off: false, "0": false, "": false },
};

function flag(text: string): Coerced {
  return Object.hasOwn(words, text) ? { value: words[text] === true } : { problem: "must be true or false" };
}

function within(isNumber: boolean, value: number, min: number, max: number, what: string): Coerced {
  return isNumber && value >= min && value <= max ? { value } : { problem: `must be ${what} from ${min} to ${max}` };
}
