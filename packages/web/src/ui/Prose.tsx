/** What an agent or a person said: lines are wrapped, and fenced code keeps its own. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <div class="prose">
      {partsOf(text).map(({ isCode, words }, at) =>
        isCode ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
          // biome-ignore lint/a11y/useSemanticElements: code is preformatted text
          <pre key={at} tabIndex={0} role="region" aria-label="code">
            {words}
          </pre>
        ) : (
          <p key={at} class="text">
            {words}
          </p>
        ),
      )}
    </div>
  );
}

interface Part {
  readonly isCode: boolean;
  readonly words: string;
}

function partsOf(text: string): readonly Part[] {
  return text
    .split(/^[ \t]*```.*$/m)
    .map((words, at) => ({ isCode: at % 2 === 1, words: words.replace(/^\n+/, "").trimEnd() }))
    .filter(({ words }) => words !== "");
}
