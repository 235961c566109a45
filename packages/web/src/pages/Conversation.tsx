import type { Turn } from "@paneward/sdk";
import { useState } from "preact/hooks";
import { client } from "../api/client.ts";
import { clockOf } from "../ui/clock.ts";
import { Loaded, useAnswer } from "../ui/Loaded.tsx";
import { Prose } from "../ui/Prose.tsx";

const shownAtFirst = 20;

/** The messages between people and the agent, newest last. */
export function Conversation({ id, again }: { readonly id: string; readonly again: number }) {
  const turns = useAnswer((signal) => client.turns({ id }, { signal }), [id, again]);
  const [all, setAll] = useState(false);
  return (
    <Loaded of={turns}>
      {({ turns: said }) => (
        <>
          {!all && said.length > shownAtFirst && (
            <button type="button" class="act" onClick={() => setAll(true)}>
              {`${said.length - shownAtFirst} earlier`}
            </button>
          )}
          <ol class="turns">
            {said.length === 0 && <li class="quiet">No messages yet.</li>}
            {(all ? said : said.slice(-shownAtFirst)).map(one)}
          </ol>
        </>
      )}
    </Loaded>
  );
}

function one({ id, actor, intent, text, at }: Turn) {
  return (
    <li key={id} class={`${actor} ${intent}`}>
      <p class="quiet">{`${actor === "user" ? "you" : actor} · ${intent.replaceAll("_", " ")} · ${clockOf(at)}`}</p>
      <Prose text={text} />
    </li>
  );
}
