import { useRef, useState } from "preact/hooks";
import { client } from "../api/client.ts";
import { showError, showMessage } from "../state/notices.ts";

/** A line to type into it, delivered by the courier with a receipt. */
export function Send({ id }: { readonly id: string }) {
  const [text, setText] = useState("");
  const isSending = useRef(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isSending.current || text === "") return;
    isSending.current = true;
    try {
      const { state, reason } = await client.send({ id, text, idempotency_key: crypto.randomUUID() });
      showMessage(reason === undefined ? `Sent: ${state}` : `Sent: ${state}, ${reason}`);
      setText("");
    } catch (error) {
      showError(error);
    } finally {
      isSending.current = false;
    }
  };
  return (
    <form class="send" onSubmit={submit}>
      <input
        aria-label="Message"
        placeholder="Type a line to send"
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
