/** A value of D-Bus with its type, where the type is not known from a signature. */
export interface Variant {
  readonly type: string;
  readonly value: unknown;
}

/** Writes values in D-Bus's little-endian form. https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-marshaling */
export function encoded(signature: string, values: readonly unknown[], offset = 0): Buffer {
  const out = new Writer(offset);
  for (const [index, type] of typesIn(signature).entries()) write(out, type, values[index]);
  return out.bytes();
}

export function decoded(signature: string, bytes: Buffer, offset = 0): readonly unknown[] {
  const from = { bytes, at: offset };
  return typesIn(signature).map((type) => read(from, type));
}

/** The complete types of a signature: `sa{sv}u` is `s`, `a{sv}` and `u`. */
export function typesIn(signature: string): readonly string[] {
  const types: string[] = [];
  for (let at = 0; at < signature.length; ) {
    const end = endOfType(signature, at);
    types.push(signature.slice(at, end));
    at = end;
  }
  return types;
}

function endOfType(signature: string, at: number): number {
  const first = signature[at];
  if (first === "a") return endOfType(signature, at + 1);
  if (first !== "(" && first !== "{") return at + 1;
  let inside = at + 1;
  while (inside < signature.length && signature[inside] !== ")" && signature[inside] !== "}") {
    inside = endOfType(signature, inside);
  }
  return inside + 1;
}

class Writer {
  readonly #pieces: Buffer[] = [];
  #length: number;

  constructor(offset: number) {
    this.#length = offset;
  }

  get length(): number {
    return this.#length;
  }

  put(bytes: Buffer): void {
    this.#pieces.push(bytes);
    this.#length += bytes.length;
  }

  align(to: number): void {
    this.put(Buffer.alloc(padding(this.#length, to)));
  }

  bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}

function write(out: Writer, type: string, value: unknown): void {
  out.align(alignmentOf(type));
  const simple = simpleTypes[type];
  if (simple) out.put(simple(value));
  else if (type === "v") {
    const { type: inner, value: held } = value as Variant;
    write(out, "g", inner);
    write(out, inner, held);
  } else if (type.startsWith("a")) writeArray(out, type.slice(1), value as readonly unknown[]);
  else if (/^[({]/.test(type)) {
    const inner = typesIn(type.slice(1, -1));
    for (const [index, one] of inner.entries()) write(out, one, (value as readonly unknown[])[index]);
  } else throw new Error(`the D-Bus type ${type} is not written here`);
}

const simpleTypes: Readonly<Record<string, (value: unknown) => Buffer>> = {
  y: (value) => Buffer.of(Number(value)),
  b: (value) => uint32(value ? 1 : 0),
  u: (value) => uint32(Number(value)),
  // The same bits; -1 is 4294967295.
  i: (value) => uint32(Number(value) >>> 0),
  s: (value) => text(String(value), uint32),
  o: (value) => text(String(value), uint32),
  g: (value) => text(String(value), (length) => Buffer.of(length)),
};

function writeArray(out: Writer, type: string, values: readonly unknown[]): void {
  const length = uint32(0);
  out.put(length);
  // What aligns the first element is not counted.
  out.align(alignmentOf(type));
  const begin = out.length;
  for (const value of values) write(out, type, value);
  length.writeUInt32LE(out.length - begin);
}

interface Reader {
  readonly bytes: Buffer;
  at: number;
}

function read(from: Reader, type: string): unknown {
  from.at += padding(from.at, alignmentOf(type));
  switch (type[0]) {
    case "y":
      return from.bytes.readUInt8(from.at++);
    case "b":
      return readUint32(from) !== 0;
    case "u":
      return readUint32(from);
    case "i": {
      from.at += 4;
      return from.bytes.readInt32LE(from.at - 4);
    }
    case "s":
    case "o":
      return readText(from, readUint32(from));
    case "g":
      return readText(from, from.bytes.readUInt8(from.at++));
    case "v":
      return read(from, String(read(from, "g")));
    case "a":
      return readArray(from, type.slice(1));
    case "(":
    case "{":
      return typesIn(type.slice(1, -1)).map((inner) => read(from, inner));
    default:
      throw new Error(`the D-Bus type ${type} is not read here`);
  }
}

function readArray(from: Reader, type: string): readonly unknown[] {
  const length = readUint32(from);
  from.at += padding(from.at, alignmentOf(type));
  const end = from.at + length;
  const values: unknown[] = [];
  while (from.at < end) values.push(read(from, type));
  return values;
}

function readUint32(from: Reader): number {
  from.at += 4;
  return from.bytes.readUInt32LE(from.at - 4);
}

function readText(from: Reader, length: number): string {
  const begin = from.at;
  if (begin + length >= from.bytes.length + 1) throw new RangeError("a text is longer than its message");
  from.at += length + 1;
  return from.bytes.toString("utf8", begin, begin + length);
}

// A zero byte ends a text and is not counted. D-Bus forbids zero bytes inside.
function text(value: string, lengthOf: (length: number) => Buffer): Buffer {
  const bytes = Buffer.from(value.replaceAll("\0", ""));
  return Buffer.concat([lengthOf(bytes.length), bytes, Buffer.of(0)]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function alignmentOf(type: string): number {
  if ("ygv".includes(type[0] ?? "")) return 1;
  return "({".includes(type[0] ?? "") ? 8 : 4;
}

function padding(length: number, to: number): number {
  return (to - (length % to)) % to;
}
