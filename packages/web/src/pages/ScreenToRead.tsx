import type { Question } from "@paneward/sdk";
import { doubtWords } from "@paneward/sdk/view";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { client } from "../api/client.ts";
import { Loaded, useAnswer } from "../ui/Loaded.tsx";
import { Proposed } from "./Proposed.tsx";
import { isAllShown, type Part, withPart } from "./shown-parts.ts";

interface ScreenToReadProps {
  readonly question: Question;
  readonly isRead: boolean;
  readonly onRead: (isRead: boolean) => void;
}

/** For a command that is not proved whole: the terminal's own screen, and a person's word that it was read. */
export function ScreenToRead({ question, isRead, onRead }: ScreenToReadProps) {
  const { terminal, screenHash, reported } = question;
  const screen = useAnswer((signal) => client.screen({ id: terminal }, { signal }), [terminal, screenHash]);
  return (
    <section class="unproved" aria-label="the screen">
      <p class="doubt">{`What is shown above is ${doubtWords(question)}.`}</p>
      {reported && (
        <>
          <p class="quiet">The agent itself reported:</p>
          <Proposed proposal={reported} />
        </>
      )}
      <Loaded of={screen}>
        {({ lines }) => <Lines text={lines.join("\n").trimEnd()} isRead={isRead} onRead={onRead} />}
      </Loaded>
    </section>
  );
}

interface LinesProps extends Omit<ScreenToReadProps, "question"> {
  readonly text: string;
}

// It begins at its end, where the dialog is, and can be confirmed when all of it was on the page once.
function Lines({ text, isRead, onRead }: LinesProps) {
  const box = useRef<HTMLPreElement>(null);
  const [parts, setParts] = useState<readonly Part[]>([]);
  const [isAll, setAll] = useState(false);
  const look = (before: readonly Part[]) => {
    const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = box.current ?? {};
    if (clientHeight === 0) return;
    // Browsers round what they scroll.
    const gap = 2 / scrollHeight;
    const part = { from: scrollTop / scrollHeight, to: (scrollTop + clientHeight) / scrollHeight };
    const shown = withPart(before, part, gap);
    setParts(shown);
    setAll(isAllShown(shown, gap));
  };
  useLayoutEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
    look([]);
  }, [text]);
  return (
    <>
      <pre class="command" ref={box} onScroll={() => look(parts)}>
        {text}
      </pre>
      <label class="choice">
        <input
          type="checkbox"
          checked={isRead}
          disabled={!isAll && !isRead}
          onChange={({ currentTarget }) => onRead(currentTarget.checked)}
        />
        I have read this screen
      </label>
      {!isAll && !isRead && <p class="quiet">Scroll up to read all of it first.</p>}
    </>
  );
}
