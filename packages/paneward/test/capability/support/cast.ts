/** Checks an asciicast v2 file against its specification: a header, then events of time, kind and text. */
export function castFaults(text: string): readonly string[] {
  if (!text.endsWith("\n")) return ["the last line has no line break"];
  const [first = "", ...lines] = text.slice(0, -1).split("\n");
  const header = JSON.parse(first) as Record<string, unknown>;
  const faults: string[] = [];
  if (header.version !== 2) faults.push("version is not 2");
  for (const size of ["width", "height"] as const) {
    if (!Number.isInteger(header[size]) || Number(header[size]) <= 0) faults.push(`${size} is not a size`);
  }
  if (!Number.isInteger(header.timestamp)) faults.push("timestamp is not a Unix time");
  let last = 0;
  for (const [at, line] of lines.entries()) {
    const event = JSON.parse(line) as unknown;
    if (!Array.isArray(event) || event.length !== 3) faults.push(`event ${at} does not have three parts`);
    const [time, kind, data] = event as unknown[];
    if (typeof time !== "number" || time < last) faults.push(`event ${at} goes back in time`);
    if (kind !== "o" || typeof data !== "string" || data === "") faults.push(`event ${at} prints nothing`);
    last = Number(time);
  }
  return faults;
}
