/** A patch with its lines coloured. */
export function Diff({ text }: { readonly text: string }) {
  const lines = text.split("\n");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    // biome-ignore lint/a11y/useSemanticElements: a patch is preformatted text
    <pre class="diff" tabIndex={0} role="region" aria-label="changes">
      {lines.slice(0, maxLines).map((line, at) => (
        <span key={at} class={kindOf(line)}>
          {`${line}\n`}
        </span>
      ))}
      {lines.length > maxLines && <em>{`… ${lines.length - maxLines} more lines; \`paneward diff\` shows them`}</em>}
    </pre>
  );
}

const maxLines = 3_000;

function kindOf(line: string): string {
  if (/^(diff|index|---|\+\+\+) /.test(line)) return "file";
  if (line.startsWith("@@")) return "place";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "same";
}
