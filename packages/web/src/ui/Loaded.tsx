import { PanewardError } from "@paneward/sdk";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { view } from "../state/live.ts";
import { useValue } from "../state/value.ts";
import { Sentence } from "./Sentence.tsx";

/** Data loaded from the daemon for a page: again when its key changes and when a lost connection is back. */
export function useAnswer<Answer>(ask: (signal: AbortSignal) => Promise<Answer>, again: readonly unknown[]) {
  const [answer, setAnswer] = useState<Answer>();
  const [error, setError] = useState<Error>();
  const connected = useValue(view, isConnected);
  useEffect(() => {
    const leaving = new AbortController();
    ask(leaving.signal).then(
      (found) => {
        if (leaving.signal.aborted) return;
        setAnswer(() => found);
        setError(undefined);
      },
      (failure: Error) => {
        if (!leaving.signal.aborted) setError(failure);
      },
    );
    return () => leaving.abort();
  }, [...again, connected]);
  return { answer, error };
}

const isConnected = ({ connection }: { readonly connection: { readonly kind: string } }) =>
  connection.kind === "connected";

interface LoadedProps<Answer> {
  readonly of: { readonly answer: Answer | undefined; readonly error: Error | undefined };
  readonly children: (answer: Answer) => ComponentChildren;
}

export function Loaded<Answer>({ of: { answer, error }, children }: LoadedProps<Answer>) {
  if (error) return <Failure error={error} />;
  return answer === undefined ? <p class="quiet">Loading…</p> : children(answer);
}

export function Failure({ error }: { readonly error: Error }) {
  return (
    <div class="failure" role="alert">
      <strong>
        <Sentence text={error.message} />
      </strong>
      {error instanceof PanewardError && (
        <p>
          <Sentence text={error.hint} />
        </p>
      )}
    </div>
  );
}
