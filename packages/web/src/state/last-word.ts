/** Sends one value after the other to a receiver that keeps the last one. */
export interface LastWord<Word> {
  /** What still waits is out of date and is never said. */
  say(word: Word): void;
  /** For a page that closes and cannot wait; sent again if something else was on its way and could arrive later. */
  sayAtOnce(word: Word): void;
}

/** `send` resolves when a word has arrived or is lost; it does not reject. */
export function lastWord<Word>(send: (word: Word) => Promise<unknown>): LastWord<Word> {
  let said = 0;
  let onTheirWay = 0;
  let before: Promise<unknown> = Promise.resolve();
  const sendNow = async (word: Word) => {
    onTheirWay++;
    await send(word);
    onTheirWay--;
  };
  const sendAfter = (word: Word, others: Promise<unknown>, mine: number) =>
    others.then(() => (mine === said ? sendNow(word) : undefined));
  return {
    say: (word) => {
      before = sendAfter(word, before, ++said);
    },
    sayAtOnce: (word) => {
      const mine = ++said;
      const isAlone = onTheirWay === 0;
      const both = Promise.all([before, sendNow(word)]);
      before = isAlone ? both : sendAfter(word, both, mine);
    },
  };
}
