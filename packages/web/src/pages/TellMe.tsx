import { useState } from "preact/hooks";
import { preferences } from "../state/preferences.ts";
import { mayAsk, mustBeInstalled, tellMe } from "../state/telling.ts";
import { useValue } from "../state/value.ts";
import { Act } from "../ui/Act.tsx";

/** Offers to tell this browser, with the reason, before the browser itself asks; once. */
export function TellMe() {
  useValue(preferences);
  const [isDone, setDone] = useState(false);
  if (isDone || !(mayAsk() || (mustBeInstalled() && !preferences.get().asked))) return null;
  const notNow = async () => {
    preferences.set({ ...preferences.get(), asked: true });
    setDone(true);
  };
  return (
    <section class="tell" aria-label="notifications">
      <p>
        <strong>Be told the moment something needs you</strong>
        {mustBeInstalled()
          ? "On an iPhone, only apps get notifications: Share, then “Add to Home Screen”, then open Paneward from there."
          : "Also when this page is closed, with buttons to answer. What is sent is encrypted for this browser."}
      </p>
      {!mustBeInstalled() && (
        <Act kind="main" act={() => tellMe(true).finally(() => setDone(true))}>
          Tell me
        </Act>
      )}
      <Act act={notNow}>Not now</Act>
    </section>
  );
}
