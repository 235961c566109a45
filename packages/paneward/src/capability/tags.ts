import sax from "sax";

/** A `<capability …>` element as it was written. */
export interface Tag {
  /** In source order. `name` may occur twice: the capability's and a window's. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

export type FoundTag = { readonly tag: Tag } | { readonly fault: string };

export const tagLimits = { text: 262_144, tags: 50, attributes: 30, attribute: 65_536 } as const;

/**
 * Finds the capability elements of a text; prose, comments and other markup around them are ignored. Models write
 * `command="a && b"` and `2>&1` without escaping, so parsing is lenient: an `&` that starts neither one of the five
 * entities nor a character reference is literal.
 */
export function findTags(text: string): readonly FoundTag[] {
  if (text.length > tagLimits.text) return [{ fault: `The text is longer than ${tagLimits.text} characters` }];
  const found: FoundTag[] = [];
  // Where nothing ends what was begun, the text is searched to its end: not again and again.
  let hasCommentEnd = true;
  let inVain = 0;
  opening.lastIndex = 0;
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    if (match[0] === "<!--") {
      const end: number = hasCommentEnd ? text.indexOf("-->", opening.lastIndex) : -1;
      hasCommentEnd = end >= 0;
      if (hasCommentEnd) opening.lastIndex = end + 3;
      continue;
    }
    if (found.length === tagLimits.tags) return [...found, { fault: `More than ${tagLimits.tags} calls in one text` }];
    const element = readElement(text.slice(match.index));
    found.push("tag" in element ? { tag: element.tag } : { fault: element.fault });
    if ("tag" in element) opening.lastIndex = match.index + element.length;
    else inVain += element.searched;
    if (inVain > maxInVain) return [...found, { fault: "Too much of the text is in calls that are not closed" }];
  }
  return found;
}

const opening = /<!--|<capability(?=[\s/>])/gi;
const maxInVain = 2 * tagLimits.text;

type Element =
  | { readonly tag: Tag; readonly length: number }
  /** How much of the text was read before that was known. */
  | { readonly fault: string; readonly searched: number };

function readElement(text: string): Element {
  const parser = sax.parser(false, lenient);
  parser.ENTITIES = entities;
  const attributes: (readonly [string, string])[] = [];
  const open: string[] = [];
  let body = "";
  let length = 0;
  let fault: string | undefined;
  // Stop parsing: nothing that follows can repair it.
  const giveUp = (why: string) => {
    fault = why;
    throw new Finished(0);
  };
  // Tags inside the body are part of its text.
  const source = (from: number) => text.slice(Math.max(0, from), parser.position);
  parser.onattribute = ({ name, value }) => {
    // sax drops repeated attributes unless the earlier one is deleted.
    delete parser.tag.attributes[name];
    if (open.length > 0) return;
    attributes.push([name, value]);
    if (attributes.length > tagLimits.attributes) giveUp(`More than ${tagLimits.attributes} attributes`);
    if (value.length > tagLimits.attribute) giveUp(tooLong(name));
  };
  parser.onopentag = ({ name }) => {
    if (open.length > 0) body += source(parser.startTagPosition - 1);
    open.push(name);
  };
  parser.onclosetag = (name) => {
    open.pop();
    if (open.length === 0) throw new Finished(parser.position);
    const written = source(parser.startTagPosition - 1);
    if (written.startsWith(`</${name}`)) body += written;
  };
  parser.ontext = parser.oncdata = (piece) => {
    body += piece;
  };
  parser.ondoctype = parser.onsgmldeclaration = () => {
    giveUp("A declaration is not allowed in a call");
  };
  parser.onerror = () => {
    parser.resume();
  };
  try {
    parser.write(text);
  } catch (end) {
    if (!(end instanceof Finished)) throw end;
    length = end.position;
  }
  if (length === 0) fault ??= "A <capability …> tag is not closed";
  return fault === undefined ? { tag: { attributes, body }, length } : { fault, searched: parser.position };
}

const lenient = { lowercase: true } as const satisfies sax.SAXOptions;

/**
 * What `&…;` may name. sax decodes character references, except those of control characters, which XML forbids; here `&#3;`
 * is Ctrl-C. Without a prototype, or `&constructor;` would be found too.
 */
const entities: Record<string, string> = Object.assign(Object.create(null), {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" },
  ...Object.fromEntries(Array.from({ length: 32 }, (_, code) => code).flatMap(spellings)),
});

function spellings(code: number): readonly (readonly [string, string])[] {
  const character = String.fromCharCode(code);
  const digits = ["#", "#0", "#00"].map((prefix) => `${prefix}${code}`);
  const hex = ["#x", "#x0", "#x00", "#x000"].map((prefix) => `${prefix}${code.toString(16)}`);
  return [...digits, ...hex].map((name) => [name, character] as const);
}

function tooLong(attribute: string): string {
  return `The attribute ${attribute.slice(0, 40)} is longer than ${tagLimits.attribute} characters`;
}

/** Thrown to stop the parser at the end of the element. */
class Finished extends Error {
  readonly position: number;

  constructor(position: number) {
    super();
    this.position = position;
  }
}
