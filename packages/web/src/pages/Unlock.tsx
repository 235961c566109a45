import { useState } from "preact/hooks";
import { isLocked, unlock } from "../api/session.ts";
import { linkTo } from "../state/route.ts";
import { Failure } from "../ui/Loaded.tsx";

interface UnlockProps {
  readonly reason: Error;
  readonly onDone: () => void;
}

/** This browser is paired, and its passkey is missing. Browsers ask for one only after somebody pressed a button. */
export function Unlock({ reason, onDone }: UnlockProps) {
  const [error, setError] = useState(reason);
  const open = async () => {
    try {
      await unlock();
      onDone();
    } catch (failure) {
      // Anything else, such as a login that was revoked, is for the page of logins.
      if (isLocked()) setError(failure as Error);
      else onDone();
    }
  };
  return (
    <main class="login">
      <img src="/icon.svg" alt="" width="56" height="56" />
      <h1>Paneward is locked</h1>
      <Failure error={error} />
      <button type="button" class="act main" onClick={() => void open()}>
        Unlock with your passkey
      </button>
      <p class="quiet">
        The passkey is lost? Revoke this device with <code>paneward login revoke</code>, then{" "}
        <a href={linkTo("pair")}>pair it again</a>.
      </p>
    </main>
  );
}
