import { useEffect, useState } from "preact/hooks";
import { type Asking, askToPair, type PairHow } from "../api/pairing.ts";
import { Failure } from "../ui/Loaded.tsx";

interface PairProps {
  /** What a scanned link holds; without it, a person types the code. */
  readonly link: string | undefined;
  readonly onDone: () => void;
}

/** How this device becomes one that may read and answer: the code, the number, the passkey. */
export function Pair({ link, onDone }: PairProps) {
  const [asking, setAsking] = useState<Asking>();
  const [makePasskey, setMakePasskey] = useState<() => Promise<void>>();
  const [error, setError] = useState<Error>();
  const attempt = async (what: () => Promise<unknown>) => {
    setError(undefined);
    try {
      await what();
    } catch (failure) {
      setError(failure as Error);
    }
  };
  const begin = (how: PairHow) =>
    attempt(async () => {
      const asked = await askToPair(how);
      setAsking(asked);
      try {
        const make = await asked.confirmed();
        if (!make) return onDone();
        setMakePasskey(() => make);
      } catch (failure) {
        setAsking(undefined);
        throw failure;
      }
    });
  useEffect(() => {
    if (link === undefined) return;
    // Worthless by now, but nobody should copy it from the address bar.
    history.replaceState(null, "", "#/pair");
    void begin({ link });
  }, [link]);
  return (
    <main class="login">
      <img src="/icon.svg" alt="" width="56" height="56" />
      <h1>Pair this device</h1>
      {error && <Failure error={error} />}
      {makePasskey && (
        <>
          <p>Confirmed. This address also asks for a passkey: your fingerprint, face or PIN, whenever you open it.</p>
          <button type="button" class="act main" onClick={() => void attempt(() => makePasskey().then(onDone))}>
            Make a passkey
          </button>
        </>
      )}
      {asking && !makePasskey && (
        <>
          <p>Type this number at the terminal:</p>
          <output class="pairing-number">{asking.number}</output>
          <p class="quiet">This page continues by itself.</p>
        </>
      )}
      {!asking && <CodeForm onCode={(code) => void begin({ code })} />}
    </main>
  );
}

function CodeForm({ onCode }: { readonly onCode: (code: string) => void }) {
  const [code, setCode] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    onCode(code);
  };
  return (
    <>
      <p>
        Scan the code that <code>paneward pair</code> prints, or type the short one below it.
      </p>
      <form onSubmit={submit}>
        <label>
          Code
          <input
            name="code"
            autocomplete="one-time-code"
            autocapitalize="characters"
            spellcheck={false}
            placeholder="ABCD-2345"
            required
            value={code}
            onInput={({ currentTarget }) => setCode(currentTarget.value)}
          />
        </label>
        <button type="submit" class="act main">
          Pair
        </button>
      </form>
    </>
  );
}
