/** Whether output ends in a line that has text and no end, as a prompt does. The text may begin in the middle of anything. */
export function endsInOpenLine(text: string): boolean {
  const lastLine = text.slice(text.lastIndexOf("\n") + 1);
  return lastLine !== "" && /\S/.test(lastLine.replace(invisible, ""));
}

// OSC, DCS and the like up to their end, CSI, other escape sequences, control characters.
const invisible =
  /\x1b[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\|$)|\x1b\[[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?|[\x00-\x1f\x7f]/g;
