import { PanewardError, type Question, type QuestionOption } from "@paneward/sdk";
import { useState } from "preact/hooks";
import { client } from "../api/client.ts";
import { showMessage } from "../state/notices.ts";
import { useMay } from "../state/session.ts";
import { Act } from "../ui/Act.tsx";
import { Age } from "../ui/Age.tsx";
import { Diff } from "../ui/Diff.tsx";

/** The open question: what would be done, and how to answer. */
export function QuestionPanel({ question }: { readonly question: Question }) {
  const mayAnswer = useMay("approve");
  const { proposal } = question;
  return (
    <section class="asking" aria-label="open question" data-question={question.id}>
      <h2>
        {titles[question.kind]} <Age since={question.openedAt} />
      </h2>
      <p class="text">{question.text}</p>
      {proposal?.tool !== undefined && <p class="quiet">{`with ${proposal.tool}`}</p>}
      {proposal?.command !== undefined && <pre class="command">{proposal.command}</pre>}
      {proposal?.path !== undefined && <pre class="command">{proposal.path}</pre>}
      {proposal?.diff !== undefined && <Diff text={proposal.diff} />}
      {proposal?.more !== undefined && <pre class="command">{proposal.more}</pre>}
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
  const isMultiChoice = question.kind === "multi_choice";
  const toggle = (number: number) =>
    setChosen(chosen.includes(number) ? chosen.filter((one) => one !== number) : [...chosen, number]);
  return (
    <div class="answers">
      {question.options.map((option) =>
        isMultiChoice ? (
          <label key={option.number} class="choice">
            <input type="checkbox" checked={chosen.includes(option.number)} onChange={() => toggle(option.number)} />
            {labelOf(option)}
          </label>
        ) : (
          <Act key={option.number} kind={toneOf(option)} act={() => answer(question, { option: option.number })}>
            <kbd>{option.key ?? option.number}</kbd> {labelOf(option)}
          </Act>
        ),
      )}
      {isMultiChoice && (
        <Act kind="main" act={() => answer(question, severalOptions(question, chosen))} disabled={chosen.length === 0}>
          Answer
        </Act>
      )}
      {(question.freeText || question.options.length === 0) && (
        <div class="free">
          <label>
            {question.kind === "password" ? "Password" : "Your answer"}
            <input
              {...(question.kind === "password" ? { type: "password" } : { type: "text" })}
              value={text}
              autocomplete="off"
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
          <Act kind="main" act={() => answer(question, { text }).then(() => setText(""))}>
            Send
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
    if (!(error instanceof PanewardError) || error.row.status !== 409) throw error;
    throw new PanewardError(error.code, `Already answered, or the question has changed: ${error.message}`, {
      hint: error.hint,
      cause: error,
    });
  }
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

function toneOf({ label }: QuestionOption): "good" | "bad" | "plain" {
  if (/^(yes|approve|allow|accept|proceed)\b/i.test(label)) return "good";
  return /^(no|deny|reject|cancel|abort)\b/i.test(label) ? "bad" : "plain";
}
