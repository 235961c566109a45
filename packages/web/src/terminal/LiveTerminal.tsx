import { PanewardError } from "@paneward/sdk";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { showError, showMessage } from "../state/notices.ts";
import { isTyped } from "./ignore-queries.ts";
import { openScreen, type Screen } from "./screen.ts";
import { openStream, type Stream } from "./stream.ts";

interface LiveTerminalProps {
  readonly id: string;
  readonly maySend: boolean;
}

/** The live terminal. */
export function LiveTerminal({ id, maySend }: LiveTerminalProps) {
  const place = useRef<HTMLDivElement>(null);
  const screen = useRef<Screen | undefined>(undefined);
  const stream = useRef<Stream | undefined>(undefined);
  const [connected, setConnected] = useState(true);
  const [typing, setTyping] = useState(false);
  const [large, setLarge] = useState(false);
  const [words, setWords] = useState("");
  useEffect(() => {
    if (!place.current) return;
    const shown = openScreen(place.current);
    const { terminal } = shown;
    const live = openStream(id, false, {
      onPicture(columns, rows, text) {
        shown.resize(columns, rows);
        terminal.write(text);
      },
      onSize: shown.resize,
      onBytes: (bytes, drawn) => terminal.write(bytes, drawn),
      onMissed: (bytes) => bytes > 0 && showMessage(`${bytes} bytes were skipped: they are no longer stored`),
      onFailure: showError,
      onConnection: setConnected,
    });
    terminal.onData((data) => {
      if (isTyped(data) && !live.type(data)) showError(notTyped());
    });
    screen.current = shown;
    stream.current = live;
    return () => {
      live.close();
      shown.close();
    };
  }, [id]);
  useEffect(() => screen.current?.enlarge(large), [large, id]);
  // Before the button is drawn as pressed, because typing must work from then on.
  useLayoutEffect(() => {
    const terminal = screen.current?.terminal;
    if (!terminal) return;
    terminal.options.disableStdin = !(typing && maySend);
    terminal.options.cursorBlink = typing && maySend;
    if (typing && maySend) terminal.focus();
  }, [typing, maySend, id]);
  const copy = async () => {
    const terminal = screen.current?.terminal;
    if (!terminal) return;
    const selected = terminal.getSelection();
    await navigator.clipboard.writeText(selected === "" ? textOf(terminal.buffer.active, terminal.rows) : selected);
    showMessage(selected === "" ? "Screen copied" : "Selection copied");
  };
  const find = (back: boolean) => {
    const { search } = screen.current ?? {};
    const found = back ? search?.findPrevious(words) : search?.findNext(words);
    if (found === false) showMessage(`"${words}" was not found`);
  };
  return (
    <div class="terminal">
      <div class="tools">
        <input
          type="search"
          aria-label="Search in the terminal"
          placeholder="Search"
          value={words}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && find(!event.shiftKey)}
        />
        <button type="button" class="act" onClick={() => void copy().catch(showError)}>
          Copy
        </button>
        <button type="button" class="toggle" aria-pressed={large} onClick={() => setLarge(!large)}>
          Large letters
        </button>
        {maySend && (
          <button type="button" class="toggle" aria-pressed={typing} onClick={() => setTyping(!typing)}>
            Type here
          </button>
        )}
        {!connected && <span class="badge">reconnecting…</span>}
      </div>
      <div class="screen" ref={place} />
    </div>
  );
}

function notTyped(): PanewardError {
  return new PanewardError("unavailable", "Not typed: the daemon is not reachable", {
    hint: "it reconnects by itself",
  });
}

function textOf(buffer: Screen["terminal"]["buffer"]["active"], rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, at) => buffer.getLine(buffer.baseY + at)?.translateToString(true) ?? "",
  );
  return lines.join("\n").trimEnd();
}
