import { useRef, useState } from "preact/hooks";
import { client } from "../api/client.ts";
import { showError, showMessage } from "../state/notices.ts";
import { AttachFile, attachFiles } from "./AttachFile.tsx";

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
  // Behind what was typed: a text that begins with a path would be a command to some agents.
  const insert = (path: string) =>
    setText((before) => `${before.trimEnd() === "" ? "See" : before.trimEnd()} ${path} `);
  const paste = (event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    attachFiles(id, files, insert).catch(showError);
  };
  return (
    <form class="send" onSubmit={submit}>
      <input
        onPaste={paste}
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
      <AttachFile id={id} onAttached={insert} />
      <button type="submit" class="act main">
        Send
      </button>
    </form>
  );
}
