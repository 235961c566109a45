import { useState } from "preact/hooks";
import { client } from "../api/client.ts";
import { useMay } from "../state/session.ts";
import { Act } from "../ui/Act.tsx";
import { clockOf } from "../ui/clock.ts";
import { Loaded, useAnswer } from "../ui/Loaded.tsx";
import { useTeamNews } from "./Team.tsx";

/** A conversation between agents and people, with a field to join in. */
export function Thread({ id }: { readonly id: string }) {
  const news = useTeamNews();
  const mayPost = useMay("send");
  const [text, setText] = useState("");
  const found = useAnswer((signal) => client.thread_read({ id, limit: 200 }, { signal }), [id, news]);
  const post = async () => {
    if (text.trim() === "") return;
    await client.thread_post({ id, text, idempotency_key: crypto.randomUUID() });
    setText("");
  };
  return (
    <main class="page">
      <Loaded of={found}>
        {({ thread, messages }) => (
          <>
            <h1>{thread.title}</h1>
            <ol class="turns">
              {messages.map((message) => (
                <li key={message.id}>
                  <p class="quiet">{`${message.from} · ${clockOf(Date.parse(message.ts))}`}</p>
                  <p class="text">{message.body}</p>
                </li>
              ))}
            </ol>
          </>
        )}
      </Loaded>
      {mayPost && (
        <div class="send">
          <input
            aria-label="Message"
            placeholder="Write to this thread"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <Act act={post}>Post</Act>
        </div>
      )}
    </main>
  );
}
