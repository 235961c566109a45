import { PanewardError } from "../errors.ts";

/** Refuses a path at which no socket can be made, before anything else is made. `settings` says what names it. */
export function checkSocketPath(path: string, settings = "`PANEWARD_SOCKET_PATH`"): void {
  const bytes = Buffer.byteLength(path);
  if (bytes <= maxBytes) return;
  throw new PanewardError(
    "bad_input",
    `the path of a socket has at most ${maxBytes} bytes, and this one ${bytes}: ${path}`,
    {
      hint: `set ${settings} to a shorter one`,
    },
  );
}

// The size of the kernel's sun_path, without its final zero.
const maxBytes = process.platform === "linux" ? 107 : 103;
