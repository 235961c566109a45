import { PanewardError } from "@paneward/sdk";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { say, sayFailure } from "../state/notices.ts";
import { isTyped } from "./quiet.ts";
import { openScreen, type Screen } from "./screen.ts";
import { openStream, type Stream } from "./stream.ts";

interface LiveTerminalProps {
  readonly id: string;
  readonly maySend: boolean;
}

/** The terminal as it is now, and as it goes on. */
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
      onMissed: (bytes) => bytes > 0 && say(`${bytes} bytes went by too fast and are no longer kept`),
      onFailure: sayFailure,
      onConnection: setConnected,
    });
    terminal.onData((data) => {
      if (isTyped(data) && !live.type(data)) sayFailure(notTyped());
    });
    screen.current = shown;
    stream.current = live;
    return () => {
      live.close();
      shown.close();
    };
  }, [id]);
  useEffect(() => screen.current?.enlarge(large), [large, id]);
  // Before the button is drawn as pressed: whoever sees it so may type.
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
    say(selected === "" ? "The screen is copied" : "The selection is copied");
  };
  const find = (back: boolean) => {
    const { search } = screen.current ?? {};
    const found = back ? search?.findPrevious(words) : search?.findNext(words);
    if (found === false) say(`"${words}" is not there`);
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
        <button type="button" class="act" onClick={() => void copy().catch(sayFailure)}>
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
  return new PanewardError("unavailable", "This was not typed: the daemon is away", {
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
