import { dropAnswer, type KeptAnswer } from "../api/kept-answers.ts";
import { linkTo } from "../state/route.ts";
import { useValue } from "../state/value.ts";
import { waitingAnswers } from "../state/waiting-answers.ts";
import { Act } from "../ui/Act.tsx";
import { Age } from "../ui/Age.tsx";

/** Answers given without a connection: those that wait for one, and those that came too late. */
export function WaitingAnswers() {
  const answers = useValue(waitingAnswers);
  if (answers.length === 0) return null;
  return (
    <ul class="kept-answers" aria-label="answers given without a connection">
      {answers.map((answer) => (
        <li key={answer.input.idempotency_key} class={answer.refused === undefined ? "waits" : "refused"}>
          <One answer={answer} />
        </li>
      ))}
    </ul>
  );
}

function One({ answer }: { readonly answer: KeptAnswer }) {
  const { asked, said, at, refused, input } = answer;
  return (
    <>
      <div>
        <strong>{refused === undefined ? `“${said}” waits for a connection` : `Not answered: ${refused}`}</strong>
        <p class="text">
          <a href={linkTo("question", input.question)}>{asked}</a> <Age since={at} />
        </p>
      </div>
      <Act act={() => dropAnswer(answer)}>{refused === undefined ? "Take back" : "Dismiss"}</Act>
    </>
  );
}
