import { looksPrinted, promptLine, waits } from "./line.ts";
import type { Prompt } from "./prompt.ts";
import type { View } from "./view.ts";

/** A question whose answer is not echoed: password, passphrase, PIN, token. */
export function secret(view: View): Prompt | undefined {
  const line = promptLine(view);
  // An entered password leaves nothing on the line: only a cursor below shows that it was entered.
  if (line === undefined || line.length > 240 || view.cursorPlace === "beneath") return undefined;
  if (!ending.test(line)) return undefined;
  if (!waits(view) && (looksPrinted(line) || /^\s/.test(line) || failureWords.test(line) || inSettings(view)))
    return undefined;
  return {
    kind: "password",
    text: line.trim(),
    rule: "asks for a secret",
    confidence: waits(view) ? "sure" : "likely",
  };
}

// [sudo] password for me:   me@host's password:   Enter passphrase for key '/k':   Enter passphrase (empty for no passphrase):
const ending =
  /(?:^|[\s\])'"’-])(password|passwort|passphrase|pass phrase|passcode|passwd|pin|secret|token|api key|access key|one-time code|otp|verification code|contraseña|mot de passe)( again)?( (for|of|to|from|again) [^:]{1,120}(:\/\/[^:]{1,100})?(:\d+)?[^:]{0,60})?( ?\([^()]{1,60}\))?\s?[::]$/i;

const failureWords = /\b(invalid|incorrect|wrong|failed|error|missing|expired|bad|weak|changed|rejected)\b/i;

/** user: me / password:   is a settings file, not a question. */
function inSettings(view: View): boolean {
  return /^\s*[\w.-]+:(\s+\S|$)/.test(view.above.at(-1) ?? "") && /^\s*\w+:$/.test(view.line);
}
