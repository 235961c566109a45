/**
 * Reads `text/event-stream` in pieces of any size and tells the data of each message. One that is longer than `most`
 * characters is left out whole, and no more than that is ever held.
 */
export function eventLines(tell: (data: string) => void, most = maxCharacters): (piece: string) => void {
  let line = "";
  let isBlank = true;
  let data: string[] = [];
  let length = 0;
  const add = (part: string) => {
    if (part !== "" && part !== "\r") isBlank = false;
    length += part.length;
    line = length > most ? "" : line + part;
  };
  const endLine = () => {
    const [, value] = /^data: ?(.*?)\r?$/s.exec(line) ?? [];
    if (isBlank) {
      if (data.length > 0) tell(data.join("\n"));
      length = 0;
    }
    if (isBlank || length > most) data = [];
    else if (value !== undefined) data.push(value);
    line = "";
    isBlank = true;
  };
  return (piece) => {
    const [first = "", ...rest] = piece.split("\n");
    add(first);
    for (const part of rest) {
      endLine();
      add(part);
    }
  };
}

/** The diff of a large file travels in one message. */
const maxCharacters = 8_000_000;
