import type { Random } from "../../../../tmux/test/support/random.ts";

/** Text that would create the canary file if any shell, tmux or path handling interpreted it. */
export function hostileText({ below, pick }: Random, canary: string): string {
  const act = `touch ${canary}`;
  const pieces = [
    () => pick([`$(${act})`, `\`${act}\``, `#(${act})`, `#{E:#(${act})}`, `\${IFS}$(${act})`]),
    () => pick([`'; ${act}; '`, `" ; ${act} ; "`, `'"; ${act} #`, `\\"; ${act}; \\"`, `| ${act} &`, `&& ${act} ||`]),
    () => pick([`; run-shell '${act}'`, `\\; run-shell "${act}" \\;`, `{ run-shell '${act}' }`, `;`, `\\;`]),
    () => pick(["%end 1 2 1", "%error 1 2 1", "%begin 1 2 1", "%exit", "#{pane_id}", "#S", "%Y"]),
    () =>
      pick(["../", "../../", "/../..", "~/", "-t", "--", "-", "=", ".", "*", "!", "$HOME", "\\", "%0", "artie:0.0"]),
    () => pick(['"', "'", "`", "$", "<", ">", "&", "]]>", "<!--", "</capability>", "&amp;", "&lt;"]),
    () => pick([" ", "\t", "é", "日本", "🙂", "\u2028", "a", "0"]),
    () => pick(["\n", `\n${act}\n`, `\r\n${act}\r\n`]),
  ];
  return Array.from({ length: 1 + below(5) }, () => pick(pieces)()).join("");
}
