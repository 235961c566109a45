import { giveKeptAnswers, type KeptAnswer, keptAnswers, onKeptAnswers } from "../api/kept-answers.ts";
import { createValue } from "./value.ts";

/** Answers that wait for a connection, and those that were refused when they were given. */
export const waitingAnswers = createValue<readonly KeptAnswer[]>([]);

const againMs = 5_000;

/** Gives them as soon as there is a connection, until the returned function is called. */
export function followWaitingAnswers(): () => void {
  const look = async () => waitingAnswers.set(await keptAnswers());
  const give = async () => {
    if (navigator.onLine) await giveKeptAnswers();
    await look();
  };
  const tryAgain = () => {
    if (waitingAnswers.get().some(({ refused }) => refused === undefined)) void give();
  };
  const timer = setInterval(tryAgain, againMs);
  const stopListening = onKeptAnswers(() => void look());
  addEventListener("online", give);
  void give();
  return () => {
    clearInterval(timer);
    stopListening();
    removeEventListener("online", give);
  };
}
