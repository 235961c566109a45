import type { Question } from "@paneward/sdk";
import { doubtWords } from "@paneward/sdk/view";
import { client } from "../api/client.ts";
import { Loaded, useAnswer } from "../ui/Loaded.tsx";
import { Proposed } from "./Proposed.tsx";

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
        {({ lines }) => (
          <>
            <pre class="command">{lines.join("\n").trimEnd()}</pre>
            <label class="choice">
              <input type="checkbox" checked={isRead} onChange={({ currentTarget }) => onRead(currentTarget.checked)} />
              I have read this screen
            </label>
          </>
        )}
      </Loaded>
    </section>
  );
}
