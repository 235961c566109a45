import { type Node, type ParseErrorCode, parseTree, printParseErrorCode, visit } from "jsonc-parser";

/** Parses JSON with comments, as agents accept it. Trailing commas are refused. */
export function parseJsonc(text: string): Node {
  // The parser does not accept a byte order mark; a blank in its place keeps all offsets.
  const readable = text.replace(/^\ufeff/, " ");
  requireValid(readable);
  const tree = parseTree(readable);
  if (!tree) throw new JsonError(0, 0, "no JSON value");
  return tree;
}

/** The value, as JSON.parse would return it. */
export function valueFrom({ type, value, children = [] }: Node): unknown {
  if (type === "array") return children.map(valueFrom);
  if (type !== "object") return value;
  return Object.fromEntries(
    children.flatMap(({ children: [name, of] = [] }) => (of ? [[name?.value, valueFrom(of)]] : [])),
  );
}

/** A fault in a text, with its place. */
class JsonError extends Error {
  constructor(line: number, character: number, what: string) {
    super(`line ${line + 1}, column ${character + 1}: ${what}`);
  }
}

const maxDepth = 200;

/** Throws at the first fault. The parser would continue, accept duplicate names, and nest until the stack overflows. */
function requireValid(text: string): void {
  const open: Set<string>[] = [];
  let hasValue = false;
  const begin = (_at: number, _length: number, line: number, character: number) => {
    if (open.push(new Set()) > maxDepth) throw new JsonError(line, character, "it is nested too deeply");
  };
  const end = () => {
    open.pop();
    hasValue = true;
  };
  visit(text, {
    onObjectBegin: begin,
    onArrayBegin: begin,
    onObjectEnd: end,
    onArrayEnd: end,
    onLiteralValue: () => (hasValue = true),
    onObjectProperty(name, _at, _length, line, character) {
      const names = open.at(-1);
      if (names?.has(name)) throw new JsonError(line, character, `duplicate key ${JSON.stringify(name)}`);
      names?.add(name);
    },
    onError(code, at, _length, line, character) {
      const isBehind = hasValue && open.length === 0;
      throw new JsonError(line, character, isBehind ? "there is text after the value" : describeFault(text, code, at));
    },
  });
}

function describeFault(text: string, code: ParseErrorCode, at: number): string {
  const name = printParseErrorCode(code);
  const [before, behind] = [
    /\w*$/.exec(text.slice(0, at))?.[0] ?? "",
    /^[^\s,:{}[\]]*/.exec(text.slice(at))?.[0] ?? "",
  ];
  const isClosed = text[at] === "}" || text[at] === "]";
  if (at >= text.length) return "the text ends early";
  if (name === "PropertyNameExpected")
    return isClosed ? "nothing follows the comma" : "a name in double quotes is missing";
  if (name === "ValueExpected") return text[at] === "]" ? "nothing follows the comma" : "no JSON value";
  if (name === "ColonExpected") return '":" is missing';
  if (name === "CommaExpected" && before === "") return '"," is missing';
  return `${(before + behind).slice(0, 40)} is neither a JSON value nor a name in double quotes`;
}
