/** The word that was probably meant: the nearest one, if any is near. */
export function nearest<Word extends string>(written: string, words: readonly Word[]): Word | undefined {
  const wanted = written.toLowerCase().slice(0, maxLength);
  const maxDistance = Math.max(1, Math.floor(wanted.length / 2));
  const [best] = words
    .map((word) => ({ word, distance: distanceBetween(wanted, word.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  return best && best.distance <= maxDistance ? best.word : words.find((word) => isShort(wanted, word.toLowerCase()));
}

const maxLength = 40;

// `snap` for snapshot, `cmd` for command, and `initialize` for init.
function isShort(written: string, word: string): boolean {
  if (written.length < 2 || written[0] !== word[0]) return false;
  let at = 0;
  for (const letter of word) if (letter === written[at]) at++;
  return at === written.length || written.startsWith(word);
}

// Number of letters to add, drop, change or swap with their neighbour (optimal string alignment).
function distanceBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const plain = Math.min((rows[i - 1]?.[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (rows[i - 1]?.[j - 1] ?? 0) + cost);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(swapped ? Math.min(plain, (rows[i - 2]?.[j - 2] ?? 0) + 1) : plain);
    }
    rows.push(row);
  }
  return rows[a.length]?.[b.length] ?? maxLength;
}
