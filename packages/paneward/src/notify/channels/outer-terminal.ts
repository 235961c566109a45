/**
 * What makes the terminal around tmux show a notification of the desktop; tmux does not pass such sequences on. iTerm2, kitty,
 * WezTerm, Ghostty and foot understand OSC 9, urxvt and VTE OSC 777, and others ignore what they do not know. Undefined for those
 * that may not.
 */
export function toOuterTerminal(
  name: string,
  type: string,
  { title, line }: { readonly title: string; readonly line: string },
): string | undefined {
  if (name === "" || /^(linux|dumb|cons|vt\d|screen)/.test(name)) return undefined;
  const [first, second] = [harmless(title), harmless(line)];
  if (/^rxvt/.test(name) || /^VTE/.test(type)) return `\x1b]777;notify;${first};${second}\x07`;
  const sequence = `\x1b]9;${[first, second].filter((part) => part !== "").join(": ")}\x07`;
  // Another tmux around this one: it passes that on if its user has `allow-passthrough on`.
  if (/^tmux/.test(name)) return `\x1bPtmux;${sequence.replaceAll("\x1b", "\x1b\x1b")}\x1b\\`;
  return sequence;
}

// A semicolon separates fields, and `9;4;…` draws a progress bar.
function harmless(text: string): string {
  return text.replace(/\p{Cc}/gu, " ").replaceAll(";", ",");
}
