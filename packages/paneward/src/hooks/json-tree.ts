import { type Node, type ParseErrorCode, parseTree, printParseErrorCode, visit } from "jsonc-parser";

/** Reads JSON with comments, as agents write and accept it. A comma with nothing behind it is refused. */
export function treeOf(text: string): Node {
  // The parser does not accept a byte order mark; a blank in its place keeps all offsets.
  const readable = text.replace(/^\ufeff/, " ");
  check(readable);
  const tree = parseTree(readable);
  if (!tree) throw new NotJson(0, 0, "no JSON value");
  return tree;
}

/** The value itself, as JSON.parse would give it. */
export function plainly({ type, value, children = [] }: Node): unknown {
  if (type === "array") return children.map(plainly);
  if (type !== "object") return value;
  return Object.fromEntries(
    children.flatMap(({ children: [name, of] = [] }) => (of ? [[name?.value, plainly(of)]] : [])),
  );
}

/** What is wrong with a text, and where. */
class NotJson extends Error {
  constructor(line: number, character: number, what: string) {
    super(`line ${line + 1}, column ${character + 1}: ${what}`);
  }
}

const maxDepth = 200;

/** Throws at the first fault. The parser alone would continue after it, accept a name twice, and nest until the stack ends. */
function check(text: string): void {
  const open: Set<string>[] = [];
  let hasValue = false;
  const begin = (_at: number, _length: number, line: number, character: number) => {
    if (open.push(new Set()) > maxDepth) throw new NotJson(line, character, "it is nested too deeply");
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
      if (names?.has(name)) throw new NotJson(line, character, `${JSON.stringify(name)} stands here twice`);
      names?.add(name);
    },
    onError(code, at, _length, line, character) {
      const isBehind = hasValue && open.length === 0;
      throw new NotJson(line, character, isBehind ? "there is something behind the value" : fault(text, code, at));
    },
  });
}

function fault(text: string, code: ParseErrorCode, at: number): string {
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
  return `${(before + behind).slice(0, 40)} is no JSON value, nor a name in double quotes`;
}
