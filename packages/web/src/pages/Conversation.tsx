import { client } from "../api/client.ts";
import { clockOf } from "../ui/clock.ts";
import { Loaded, useAnswer } from "../ui/Loaded.tsx";

/** The messages between people and the agent. */
export function Conversation({ id, again }: { readonly id: string; readonly again: number }) {
  const turns = useAnswer((signal) => client.turns({ id }, { signal }), [id, again]);
  return (
    <Loaded of={turns}>
      {({ turns: said }) => (
        <ol class="turns">
          {said.length === 0 && <li class="quiet">No messages yet.</li>}
          {said.map((turn) => (
            <li key={turn.id} class={turn.actor}>
              <p class="quiet">{`${turn.actor} · ${turn.intent.replaceAll("_", " ")} · ${clockOf(turn.at)}`}</p>
              <p class="text">{turn.text}</p>
            </li>
          ))}
        </ol>
      )}
    </Loaded>
  );
}
