/** Whether a variable, field, header or flag of this name holds a secret. `isSet`: with `=`, where short names mean what they say. */
export function isSecretName(name: string, isSet: boolean): boolean {
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== "");
  const last = parts.at(-1) ?? "";
  const isLong = parts.length > 1 || isSet;
  return parts.some((part) => always.test(part)) || (isLong && atEnd.has(last)) || (isSet && session.has(last));
}

const always =
  /passw(or)?d$|passphrase|passcode|secrets?$|token$|api_?key|credentials?$|^(pwd|jwt|authorization|bearer)$/;
const atEnd = new Set(["key", "pass", "pw", "auth", "pat", "pin", "otp", "dsn", "cred", "creds", "salt", "apikey"]);
const session = new Set(["sid", "sig", "signature", "session", "sessionid", "cookie", "code"]);
