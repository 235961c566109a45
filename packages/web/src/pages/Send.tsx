import { useRef, useState } from "preact/hooks";
import { client } from "../api/client.ts";
import { showError, showMessage } from "../state/notices.ts";

/** A line to type into it, delivered by the courier with a receipt. */
export function Send({ id }: { readonly id: string }) {
  const [text, setText] = useState("");
  const [command, setCommand] = useState(false);
  const isSending = useRef(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isSending.current || text === "") return;
    isSending.current = true;
    try {
      const key = crypto.randomUUID();
      const { state, reason, changed } = await client.send({ id, text, command, idempotency_key: key });
      showMessage(`Sent: ${[state, reason, changed].filter((part) => part !== undefined).join(", ")}`);
      setText("");
      setCommand(false);
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
      <label title="A command of the agent, such as /compact">
        <input type="checkbox" checked={command} onChange={({ currentTarget }) => setCommand(currentTarget.checked)} />{" "}
        Command
      </label>
      <button type="submit" class="act">
        Send
      </button>
    </form>
  );
}
