/** Shrinks a failing stream by removing one sequence or character at a time. */
export async function shrink(stream: string, fails: (stream: string) => Promise<boolean>): Promise<string> {
  let parts: readonly string[] =
    stream.match(
      /\u001b\(0\w+\u001b\(B|\u001b\[\?7l\w+\u001b\[\?7h|\u001b\][^\u0007]*\u0007|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[ -/]*.|./gsu,
    ) ?? [];
  for (let at = parts.length - 1; at >= 0; at--) {
    const without = parts.toSpliced(at, 1);
    if (await fails(without.join(""))) parts = without;
  }
  return parts.join("");
}
