import { useEffect, useState } from "preact/hooks";
import { client } from "../api/client.ts";
import { Failure } from "../ui/Loaded.tsx";

const firstLines = 200;
const maxLines = 1_000;
const waitSeconds = 25;
const againMs = 2_000;
// Programs draw lines as wide as their terminal.
const longRule = /([\u2500-\u257f=_-])\1{40,}/g;
const shortRule = 24;

/** What a program printed, as text that wraps: readable where its terminal is too wide. */
export function Printed({ id }: { readonly id: string }) {
  const [text, setText] = useState<string>();
  const [error, setError] = useState<Error>();
  useEffect(() => {
    const leaving = new AbortController();
    void follow(id, leaving.signal, setText, setError);
    return () => leaving.abort();
  }, [id]);
  if (error) return <Failure error={error} />;
  if (text === undefined) return <p class="quiet">Loading…</p>;
  if (text.trim() === "") return <p class="quiet nothing">It has printed nothing yet.</p>;
  return <pre class="printed">{text.replace(longRule, "$1".repeat(shortRule))}</pre>;
}

async function follow(
  id: string,
  signal: AbortSignal,
  show: (text: string) => void,
  fail: (error: Error | undefined) => void,
): Promise<void> {
  let text = "";
  let since: string | undefined;
  while (!signal.aborted) {
    try {
      const from = since === undefined ? { lines: firstLines } : { since, wait: waitSeconds };
      const { output, cursor } = await client.read({ id, ...from }, { signal });
      // What drew over itself is folded by the daemon, each time from the cursor on.
      text = `${text}${output}`.split("\n").slice(-maxLines).join("\n");
      since = cursor;
      fail(undefined);
      show(text);
    } catch (error) {
      if (signal.aborted) return;
      if (text === "") fail(error as Error);
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }
}
