import type { PanewardError, Turn } from "@paneward/sdk";
import { useEffect, useRef, useState } from "preact/hooks";
import { isLocked, unlock } from "../api/session.ts";
import { followQuestion, type SeenQuestion } from "../state/one-question.ts";
import { reportPresence } from "../state/presence.ts";
import { linkTo, route } from "../state/route.ts";
import { useValue } from "../state/value.ts";
import { followWaitingAnswers } from "../state/waiting-answers.ts";
import { Act } from "../ui/Act.tsx";
import { Age } from "../ui/Age.tsx";
import { Failure } from "../ui/Loaded.tsx";
import { Notices } from "../ui/Notices.tsx";
import { Prose } from "../ui/Prose.tsx";
import { Login } from "./Login.tsx";
import { QuestionPanel } from "./QuestionPanel.tsx";
import { TellMe } from "./TellMe.tsx";
import { Unlock } from "./Unlock.tsx";
import { WaitingAnswers } from "./WaitingAnswers.tsx";

/** One question, for a phone that a notice woke: little code, one small request, and nothing else. */
export function QuestionPage() {
  const [page, named = ""] = useValue(route);
  const id = useKept(named, page === "question");
  const [seen, setSeen] = useState<SeenQuestion>();
  const [trouble, setTrouble] = useState<PanewardError>();
  const [again, setAgain] = useState(0);
  useEffect(followWaitingAnswers, []);
  useEffect(() => {
    const leaving = new AbortController();
    setSeen(undefined);
    setTrouble(undefined);
    void followQuestion(id, { seen: setSeen, trouble: setTrouble }, leaving.signal);
    return () => leaving.abort();
  }, [id, again]);
  useEffect(() => reportPresence(() => (seen ? [seen.question.terminal] : [])), [seen]);
  useEffect(() => {
    document.title = seen?.question.state === "open" ? "(1) Paneward" : "Paneward";
  }, [seen]);
  const isShut = trouble?.code === "unauthorized";
  const askAgain = () => setAgain(again + 1);
  if (isShut && isLocked() && !seen) return <Unlock reason={trouble} onDone={askAgain} />;
  if (isShut && !isLocked()) return <Login link={undefined} logoutReason={trouble} onDone={askAgain} />;
  return (
    <>
      <header class="top">
        <a href={linkTo()} aria-label="Overview">
          ‹ Overview
        </a>
        {trouble && !isShut && <span class="badge" role="status" title={trouble.message}>{`not connected`}</span>}
      </header>
      <main class="one">
        {isShut && <Locked onUnlocked={askAgain} />}
        <WaitingAnswers />
        {seen ? <Seen seen={seen} /> : <NotYet id={id} trouble={trouble} />}
      </main>
      <Notices />
    </>
  );
}

/** The last one that counted: while the dashboard is loaded for another page, this one is still drawn. */
function useKept(value: string, counts: boolean): string {
  const kept = useRef(value);
  if (counts) kept.current = value;
  return kept.current;
}

function Locked({ onUnlocked }: { readonly onUnlocked: () => void }) {
  return (
    <section class="tell" aria-label="locked">
      <p>
        <strong>Locked</strong>
        This is how it was when this device was told. To answer, use your passkey.
      </p>
      <Act kind="main" act={() => unlock().then(onUnlocked)}>
        Unlock with your passkey
      </Act>
    </section>
  );
}

function NotYet({ id, trouble }: { readonly id: string; readonly trouble: PanewardError | undefined }) {
  return (
    <>
      <h1>{`Question ${id}`}</h1>
      {trouble ? <Failure error={trouble} /> : <p class="quiet">Loading…</p>}
    </>
  );
}

function Seen({ seen: { question, name, turns } }: { readonly seen: SeenQuestion }) {
  const { task, terminal, state } = question;
  const whole = task === undefined ? linkTo("terminal", terminal) : linkTo("task", String(task));
  return (
    <>
      <h1>{name}</h1>
      {state === "closed" ? <Closed question={question} /> : <QuestionPanel key={question.id} question={question} />}
      {state === "closed" && <TellMe />}
      {turns.length > 0 && (
        <section aria-label="last words">
          <h2>Before</h2>
          <ol class="turns">{turns.map(said)}</ol>
        </section>
      )}
      <p>
        <a class="act" href={whole}>
          Open {name}
        </a>
      </p>
    </>
  );
}

function said({ id, actor, text, at }: Turn) {
  return (
    <li key={id} class={actor}>
      <p class="quiet">
        {actor === "user" ? "you" : "agent"} · <Age since={at} />
      </p>
      <Prose text={text} />
    </li>
  );
}

function Closed({ question: { text, closedBy = "it is gone", closedAt, openedAt } }: Pick<SeenQuestion, "question">) {
  return (
    <section class="closed" aria-label="closed question">
      <h2>
        No longer asked <Age since={closedAt ?? openedAt} />
      </h2>
      <p class="text">{text}</p>
      <p class="quiet">{closedBy}</p>
    </section>
  );
}
