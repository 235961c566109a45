import { useEffect, useRef, useState } from "preact/hooks";
import { client } from "../api/client.ts";
import { showError } from "../state/notices.ts";
import { openScreen, type Screen } from "./screen.ts";
import { openStream } from "./stream.ts";
import { bytesAt, type Tape, tapeOf } from "./tape.ts";

const speeds = [1, 4, 16] as const;
const stepMs = 50;

/** The terminal's output as a recording with a time slider. */
export function Replay({ id }: { readonly id: string }) {
  const place = useRef<HTMLDivElement>(null);
  const screen = useRef<Screen | undefined>(undefined);
  const shown = useRef(0);
  const [tape, setTape] = useState<Tape>();
  const [at, setAt] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<number>(1);
  useEffect(() => {
    if (!place.current) return;
    const own = openScreen(place.current);
    screen.current = own;
    const pieces: { epoch: string; end: number; bytes: Uint8Array }[] = [];
    const stream = openStream(id, true, {
      onPicture: () => {},
      onSize: own.resize,
      onBytes(bytes, drawn, cursor) {
        const [epoch = "", end = "0"] = cursor.split(":");
        pieces.push({ epoch, end: Number(end), bytes: bytes.slice() });
        drawn();
      },
      onMissed: () => {},
      onFailure: showError,
      onConnection: (connected) => {
        if (!connected) pieces.length = 0;
      },
      onEnd: () => {
        client.recording({ id }).then(({ parts }) => {
          const whole = tapeOf(pieces, parts);
          setTape(whole);
          setAt(whole.lengthMs);
        }, showError);
      },
    });
    return () => {
      stream.close();
      own.close();
    };
  }, [id]);
  useEffect(() => {
    const terminal = screen.current?.terminal;
    if (!tape || !terminal) return;
    const until = bytesAt(tape, at);
    if (until < shown.current) {
      terminal.reset();
      shown.current = 0;
    }
    terminal.write(tape.bytes.subarray(shown.current, until));
    shown.current = until;
  }, [tape, at]);
  useEffect(() => {
    if (!playing || !tape) return;
    let drawnAt = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      const passed = (now - drawnAt) * speed;
      drawnAt = now;
      setAt((before) => {
        if (before >= tape.lengthMs) setPlaying(false);
        return Math.min(tape.lengthMs, before + passed);
      });
    }, stepMs);
    return () => clearInterval(timer);
  }, [playing, tape, speed]);
  const play = () => {
    if (tape && at >= tape.lengthMs) setAt(0);
    setPlaying(!playing);
  };
  return (
    <div class="terminal">
      <div class="tools">
        <button type="button" class="act" onClick={play} disabled={!tape}>
          {playing ? "Pause" : "Play"}
        </button>
        <input
          type="range"
          aria-label="Time in the recording"
          min={0}
          max={tape?.lengthMs ?? 1}
          step={stepMs}
          value={at}
          onInput={({ currentTarget }) => setAt(Number(currentTarget.value))}
        />
        <span class="quiet">{`${(at / 1_000).toFixed(1)} / ${((tape?.lengthMs ?? 0) / 1_000).toFixed(1)} s`}</span>
        {speeds.map((one) => (
          <button key={one} type="button" class="toggle" aria-pressed={speed === one} onClick={() => setSpeed(one)}>
            {`${one}×`}
          </button>
        ))}
      </div>
      <div class="screen" ref={place} />
    </div>
  );
}
