import { isBorder, withoutFooter } from "./footer.ts";
import type { Prompt } from "./prompt.ts";
import type { View } from "./view.ts";

/** Boxes with buttons: whiptail and dialog (<Yes> <No>), and gum confirm (Yes No over its keys). */
export function dialog(view: View): Prompt | undefined {
  const { body, hinted } = withoutFooter([...view.above, view.line, ...view.below]);
  const bottom = body.length - 1;
  const last = body[bottom] ?? "";
  const buttons = [...last.matchAll(/<\s{0,4}([A-Z][\w ]{0,20}?)\s{0,4}>/g)].map(([, label = ""]) => label);
  const boxed = /[│┃║|x]\s*$/u.test(last) && body.some((row) => row.trim() !== "" && isBorder(row));
  if (buttons.length > 0 && boxed) return shown(buttons, textOf(body.slice(0, bottom)), "buttons in a box");
  const two = /^\s{1,60}(Yes|OK|Confirm|Continue)\s{3,20}(No|Cancel)\s*$/.exec(last);
  if (!two || !hinted) return undefined;
  return shown([two[1] ?? "", two[2] ?? ""], textOf(body.slice(0, bottom)), "two buttons over their keys");
}

function shown(labels: readonly string[], text: string, rule: string): Prompt {
  const yesNo = labels.length > 1;
  const options = labels.map((label) => ({ label }));
  return { kind: yesNo ? "confirm" : "press_key", text, options, rule, confidence: "sure" };
}

function textOf(rows: readonly string[]): string {
  const near = rows.slice(-20).map((row) => row.replace(/^[\s│┃║|x]+|[\s│┃║|x]+$/gu, ""));
  return near.findLast((row) => /\?$/.test(row)) ?? near.findLast((row) => row !== "" && !isBorder(row)) ?? "";
}
