import { useRef, useState } from "preact/hooks";
import { client } from "../api/client.ts";
import { say, sayFailure } from "../state/notices.ts";

/** A line to type into it, by the courier and with a receipt. */
export function Send({ id }: { readonly id: string }) {
  const [text, setText] = useState("");
  const isSending = useRef(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isSending.current || text === "") return;
    isSending.current = true;
    try {
      const { state, reason } = await client.send({ id, text, idempotency_key: crypto.randomUUID() });
      say(reason === undefined ? `Sent: ${state}` : `Sent: ${state}, ${reason}`);
      setText("");
    } catch (error) {
      sayFailure(error);
    } finally {
      isSending.current = false;
    }
  };
  return (
    <form class="send" onSubmit={submit}>
      <input
        aria-label="Message"
        placeholder="Say something to it"
        value={text}
        autocomplete="off"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit" class="act">
        Send
      </button>
    </form>
  );
}
