import { decoded, encoded, type Variant } from "./values.ts";

export interface BusMessage {
  readonly type: "call" | "return" | "error" | "signal";
  readonly serial: number;
  readonly replyTo?: number;
  readonly path?: string;
  readonly interface?: string;
  readonly member?: string;
  readonly error?: string;
  readonly destination?: string;
  readonly sender?: string;
  readonly body: readonly unknown[];
}

const types = ["call", "return", "error", "signal"] as const;

/** The header fields, by the numbers that D-Bus gives them. */
const fields = {
  path: [1, "o"],
  interface: [2, "s"],
  member: [3, "s"],
  error: [4, "s"],
  replyTo: [5, "u"],
  destination: [6, "s"],
  sender: [7, "s"],
} as const;

const signatureField = 8;

export function encodeMessage(message: BusMessage, signature: string): Buffer {
  const body = encoded(signature, message.body);
  const header = Object.entries(fields).flatMap(([name, [number, type]]) => {
    const value: unknown = Reflect.get(message, name);
    return value === undefined ? [] : [[number, { type, value } satisfies Variant]];
  });
  const all = signature === "" ? header : [...header, [signatureField, { type: "g", value: signature }]];
  const noFlags = 0;
  const protocol = 1;
  const little = "l".charCodeAt(0);
  const head = [little, types.indexOf(message.type) + 1, noFlags, protocol, body.length, message.serial, all];
  const bytes = encoded("yyyyuua(yv)", head);
  return Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8), body]);
}

/** The first message in the bytes, and how many it takes; undefined while it is not complete. */
export function decodeMessage(bytes: Buffer): { readonly message: BusMessage; readonly length: number } | undefined {
  if (bytes.length < 16) return undefined;
  if (bytes[0] !== "l".charCodeAt(0)) throw new Error("a D-Bus message is not little-endian");
  const bodyLength = bytes.readUInt32LE(4);
  const fieldsLength = bytes.readUInt32LE(12);
  const headLength = Math.ceil((16 + fieldsLength) / 8) * 8;
  const length = headLength + bodyLength;
  if (length > maxMessage) throw new RangeError("a D-Bus message is too long");
  if (bytes.length < length) return undefined;
  const [, type, , , , serial, given] = decoded("yyyyuua(yv)", bytes) as [
    0,
    number,
    0,
    0,
    0,
    number,
    [number, unknown][],
  ];
  const held = new Map(given);
  const named = Object.entries(fields).flatMap(([name, [number]]) =>
    held.has(number) ? [[name, held.get(number)]] : [],
  );
  const signature = String(held.get(signatureField) ?? "");
  const body = decoded(signature, bytes.subarray(headLength, length));
  const message = { type: types[type - 1] ?? "signal", serial, ...Object.fromEntries(named), body } as BusMessage;
  return { message, length };
}

const maxMessage = 16 * 1_048_576;
