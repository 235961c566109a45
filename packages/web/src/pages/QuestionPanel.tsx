import { PanewardError, type Question, type QuestionOption } from "@paneward/sdk";
import { askedWords, deniesWithWords, needsReading, takesText } from "@paneward/sdk/view";
import { useState } from "preact/hooks";
import { client } from "../api/client.ts";
import { showMessage } from "../state/notices.ts";
import { useMay } from "../state/session.ts";
import { Act } from "../ui/Act.tsx";
import { Age } from "../ui/Age.tsx";
import { Proposed } from "./Proposed.tsx";
import { ScreenToRead } from "./ScreenToRead.tsx";

/** The open question: what would be done, and how to answer. */
export function QuestionPanel({ question }: { readonly question: Question }) {
  const mayAnswer = useMay("approve");
  return (
    <section class="asking" aria-label="open question" data-question={question.id}>
      <h2>
        {titles[question.kind]} <Age since={question.openedAt} />
      </h2>
      <p class="text">{askedWords(question)}</p>
      <Proposed proposal={question.proposal} />
      {mayAnswer ? <Answers question={question} /> : <p class="quiet">This login may read, but not answer.</p>}
    </section>
  );
}

const titles: Readonly<Record<Question["kind"], string>> = {
  permission: "Asks for permission",
  choice: "Asks you to choose",
  multi_choice: "Asks you to choose",
  plan: "Has a plan",
  text: "Asks",
  confirm: "Asks yes or no",
  password: "Asks for a password",
  press_key: "Waits for a key",
};

function Answers({ question }: { readonly question: Question }) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<readonly number[]>([]);
  // The hash of the screen that was read: a screen that has changed since must be read again.
  const [readHash, setReadHash] = useState<string>();
  const isRead = readHash === question.screenHash;
  const isUnread = (given: Parameters<typeof needsReading>[1]) => !isRead && needsReading(question, given);
  const answerNow = (given: Answer) => answer(question, { ...given, ...(isRead && { seen_screen: readHash }) });
  const isMultiChoice = question.kind === "multi_choice";
  const denies = deniesWithWords(question);
  const toggle = (number: number) =>
    setChosen(chosen.includes(number) ? chosen.filter((one) => one !== number) : [...chosen, number]);
  return (
    <div class="answers">
      {question.whole === false && (
        <ScreenToRead
          key={question.screenHash}
          question={question}
          isRead={isRead}
          onRead={(yes) => setReadHash(yes ? question.screenHash : undefined)}
        />
      )}
      {question.options.map((option) =>
        isMultiChoice ? (
          <label key={option.number} class="choice">
            <input type="checkbox" checked={chosen.includes(option.number)} onChange={() => toggle(option.number)} />
            {labelOf(option)}
          </label>
        ) : (
          <Act
            key={option.number}
            kind={toneOf(option)}
            act={() => answerNow({ option: option.number })}
            disabled={isUnread({ options: [option.number] })}
          >
            <kbd>{option.key ?? option.number}</kbd> {labelOf(option)}
          </Act>
        ),
      )}
      {isMultiChoice && (
        <Act kind="main" act={() => answerNow(severalOptions(question, chosen))} disabled={chosen.length === 0}>
          Answer
        </Act>
      )}
      {!takesText(question) && question.options.length === 0 && (
        <p class="quiet">It takes no text: the program does not read its terminal now.</p>
      )}
      {takesText(question) && (
        <div class="free">
          <label>
            {denies ? "No, because" : question.kind === "password" ? "Password" : "Your answer"}
            <input
              {...(question.kind === "password" ? { type: "password" } : { type: "text" })}
              value={text}
              autocomplete="off"
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
          <Act
            kind={denies ? "bad" : "main"}
            act={() => answerNow(denies ? { deny: text } : { text }).then(() => setText(""))}
            disabled={!denies && isUnread({ text })}
          >
            {denies ? "Deny" : "Send"}
          </Act>
        </div>
      )}
    </div>
  );
}

type Answer = Omit<Parameters<typeof client.respond>[0], "id">;

async function answer(question: Question, given: Answer): Promise<void> {
  const id = question.agent ?? question.terminal;
  try {
    const { status } = await client.respond({ id, question: question.id, ...given });
    showMessage(status === "ok" ? "Answered" : "The answer is queued until it can be typed");
  } catch (error) {
    if (!(error instanceof PanewardError) || error.row.status !== 409 || isAboutReading(error)) throw error;
    throw new PanewardError(error.code, `Already answered, or the question has changed: ${error.message}`, {
      hint: error.hint,
      cause: error,
    });
  }
}

function isAboutReading({ errorType = "" }: PanewardError): boolean {
  return ["not_whole", "disputed", "screen_changed"].includes(errorType);
}

function severalOptions({ options }: Question, chosen: readonly number[]): Answer {
  const indices = options.flatMap(({ number }, at) => (chosen.includes(number) ? [at] : []));
  return { mode: "multi_select", answers: [{ option_indices: indices }] };
}

function labelOf({ label, description }: QuestionOption) {
  return (
    <span>
      {label}
      {description !== undefined && <small>{description}</small>}
    </span>
  );
}

function toneOf({ label, does }: QuestionOption): "good" | "bad" | "plain" {
  if (does !== undefined) return does === "approve" ? "good" : "bad";
  if (/^(yes|approve|allow|accept|proceed)\b/i.test(label)) return "good";
  return /^(no|deny|reject|cancel|abort)\b/i.test(label) ? "bad" : "plain";
}
