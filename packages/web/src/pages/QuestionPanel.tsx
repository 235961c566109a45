import type { Question, QuestionOption } from "@paneward/sdk";
import { askedWords, deniesWithWords, needsReading, takesText } from "@paneward/sdk/view";
import { useState } from "preact/hooks";
import { answerQuestion, type Given } from "../state/answering.ts";
import { useMay } from "../state/session.ts";
import { useValue } from "../state/value.ts";
import { waitingAnswers } from "../state/waiting-answers.ts";
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
      <Answering question={question} mayAnswer={mayAnswer} />
    </section>
  );
}

function Answering({ question, mayAnswer }: { readonly question: Question; readonly mayAnswer: boolean }) {
  const isWaiting = useValue(waitingAnswers).some(
    (one) => one.refused === undefined && one.input.question === question.id,
  );
  if (!mayAnswer) return <p class="quiet">This login may read, but not answer.</p>;
  if (isWaiting) return <p class="quiet">Your answer waits for a connection.</p>;
  return <Answers question={question} />;
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
  const answerNow = (given: Given, said: string) =>
    answerQuestion(question, { ...given, ...(isRead && { seen_screen: readHash }) }, said);
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
            act={() => answerNow({ option: option.number }, option.label)}
            disabled={isUnread({ options: [option.number] })}
          >
            <kbd>{option.key ?? option.number}</kbd> {labelOf(option)}
          </Act>
        ),
      )}
      {isMultiChoice && (
        <Act
          kind="main"
          act={() => answerNow(severalOptions(question, chosen), labelsOf(question, chosen))}
          disabled={chosen.length === 0}
        >
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
            act={() => answerNow(denies ? { deny: text } : { text }, text).then(() => setText(""))}
            disabled={!denies && isUnread({ text })}
          >
            {denies ? "Deny" : "Send"}
          </Act>
        </div>
      )}
    </div>
  );
}

function severalOptions({ options }: Question, chosen: readonly number[]): Given {
  const indices = options.flatMap(({ number }, at) => (chosen.includes(number) ? [at] : []));
  return { mode: "multi_select", answers: [{ option_indices: indices }] };
}

function labelsOf({ options }: Question, chosen: readonly number[]): string {
  return options.flatMap(({ number, label }) => (chosen.includes(number) ? [label] : [])).join(", ");
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
