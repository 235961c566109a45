import type { PanewardError } from "@paneward/sdk";
import { useEffect, useState } from "preact/hooks";
import { logIn } from "../api/session.ts";
import { linkTo } from "../state/route.ts";
import { Failure } from "../ui/Loaded.tsx";

interface LoginProps {
  /** The secret of a one-time link. */
  readonly link: string | undefined;
  /** Why a browser that was logged in no longer is. */
  readonly logoutReason: Error | undefined;
  readonly onDone: () => void;
}

export function Login({ link, logoutReason, onDone }: LoginProps) {
  const [token, setToken] = useState("");
  const [error, setError] = useState(logoutReason);
  const enter = async (how: Parameters<typeof logIn>[0]) => {
    try {
      await logIn(how);
      onDone();
    } catch (failure) {
      setError(failure as PanewardError);
    }
  };
  useEffect(() => {
    if (link === undefined) return;
    // The secret must not stay in the address bar, where it could be copied.
    history.replaceState(null, "", "#/");
    void enter({ link });
  }, [link]);
  const submit = (event: Event) => {
    event.preventDefault();
    void enter({ token });
  };
  return (
    <main class="login">
      <img src="/icon.svg" alt="" width="56" height="56" />
      <h1>Paneward</h1>
      {error && <Failure error={error} />}
      <p>
        Open the link that <code>paneward up</code> or <code>paneward login link</code> prints, or enter a token. From
        another device, <a href={linkTo("pair")}>pair it</a> with <code>paneward pair</code>.
      </p>
      <form onSubmit={submit}>
        <label>
          Token
          <input
            type="password"
            name="token"
            autocomplete="current-password"
            required
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <button type="submit" class="act main">
          Log in
        </button>
      </form>
    </main>
  );
}
