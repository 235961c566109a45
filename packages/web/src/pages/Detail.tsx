import { type Row, reasonOf, rowsOf } from "@paneward/sdk/view";
import { useEffect, useState } from "preact/hooks";
import { onEvent, view } from "../state/live.ts";
import { linkTo } from "../state/route.ts";
import { useMay } from "../state/session.ts";
import { useValue } from "../state/value.ts";
import { Age } from "../ui/Age.tsx";
import { lazy } from "../ui/Lazy.tsx";
import { useNarrow } from "../ui/narrow.ts";
import { Status } from "../ui/Status.tsx";
import { Work } from "../ui/Work.tsx";
import { Changes } from "./Changes.tsx";
import { Conversation } from "./Conversation.tsx";
import { Deliveries } from "./Deliveries.tsx";
import { Explain } from "./Explain.tsx";
import { Printed } from "./Printed.tsx";
import { QuestionPanel } from "./QuestionPanel.tsx";
import { Send } from "./Send.tsx";
import { TaskActions } from "./TaskActions.tsx";
import { WaitingAnswers } from "./WaitingAnswers.tsx";

const LiveTerminal = lazy(async () => (await import("../terminal/LiveTerminal.tsx")).LiveTerminal);
const Replay = lazy(async () => (await import("../terminal/Replay.tsx")).Replay);

/** Everything about one task, terminal or agent. */
export function Detail({ kind, id }: { readonly kind: string; readonly id: string }) {
  const shown = useValue(view);
  const row = rowsOf(shown).find((one) => one.kind === kind && one.id === id);
  if (!row) {
    const isKnown = shown.lastEvent > 0;
    return (
      <main class="detail">
        <h1>{`${kind} ${id}`}</h1>
        {isKnown ? (
          <p>
            Not found; it may have been removed. <a href={linkTo()}>Go to the overview</a>
          </p>
        ) : (
          <p class="quiet">Loading…</p>
        )}
      </main>
    );
  }
  return <Known key={row.key} row={row} />;
}

const tabs = ["terminal", "conversation", "text", "changes", "deliveries", "explain", "replay"] as const;
type Tab = (typeof tabs)[number];

// A phone shows what can be read there first; the terminal, as wide as it is, one tap away.
const onPhone: readonly Tab[] = ["conversation", "text", "changes", "terminal", "deliveries", "explain", "replay"];

function Known({ row }: { readonly row: Row }) {
  const [chosen, setTab] = useState<Tab>();
  const order = useNarrow() ? onPhone : tabs;
  const offered = order.filter((one) => isOffered(row, one));
  const tab = chosen ?? (row.terminal === undefined ? "explain" : (offered[0] ?? "explain"));
  const maySend = useMay("send");
  const isAlive = row.status === "Running" || row.status === "Idle" || row.status === "Waiting";
  return (
    <main class="detail">
      <header class="head">
        <div>
          <h1>{row.name}</h1>
          <p class="facts">
            <Status status={row.status} needsMe={row.needsMe} />
            <span>
              <Age since={row.why.since} />
            </span>
            <span>{row.agent}</span>
            {row.branch !== "" && <span class="branch">{row.branch}</span>}
            <Work work={row.work} />
          </p>
          {!row.question && <p class="reason">{reasonOf(row)}</p>}
        </div>
        <TaskActions row={row} />
      </header>
      <WaitingAnswers />
      {row.question && <QuestionPanel key={row.question.id} question={row.question} />}
      <div class="tabs" role="tablist" aria-label="views">
        {offered.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`tab-${one}`}
            aria-selected={one === tab}
            onClick={() => setTab(one)}
          >
            {one}
          </button>
        ))}
      </div>
      <section class="tab" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        <TabBody row={row} tab={tab} maySend={maySend && isAlive} />
      </section>
      {maySend && isAlive && tab !== "replay" && <Send id={row.terminal ?? row.id} />}
      {row.kind === "task" && (
        <details class="prompt">
          <summary>What it was asked to do</summary>
          <pre>{row.text}</pre>
        </details>
      )}
    </main>
  );
}

interface TabBodyProps {
  readonly row: Row;
  readonly tab: Tab;
  readonly maySend: boolean;
}

function TabBody({ row, tab, maySend }: TabBodyProps) {
  const news = useNews(row);
  return (
    <>
      {tab === "terminal" && row.terminal !== undefined && <LiveTerminal id={row.terminal} maySend={maySend} />}
      {tab === "text" && row.terminal !== undefined && <Printed id={row.terminal} />}
      {tab === "replay" && row.terminal !== undefined && <Replay id={row.terminal} />}
      {tab === "conversation" && <Conversation id={row.agentId ?? row.id} again={news} />}
      {tab === "deliveries" && <Deliveries id={row.terminal ?? row.id} again={news} />}
      {tab === "changes" && <Changes id={row.id} again={news} />}
      {tab === "explain" && <Explain id={row.id} again={news} />}
    </>
  );
}

function isOffered(row: Row, tab: Tab): boolean {
  if (tab === "changes") return row.kind === "task";
  if (tab === "conversation") return row.agentId !== undefined;
  if (tab === "explain") return row.kind !== "agent";
  return row.terminal !== undefined;
}

/** Counts the events about this row, so that its data is loaded again. */
function useNews({ id, kind, terminal, agentId }: Row): number {
  const [count, setCount] = useState(0);
  useEffect(
    () =>
      onEvent((event) => {
        if (event.type === "gap") return setCount((before) => before + 1);
        const text = JSON.stringify(event.data);
        const about = [terminal, agentId, kind === "task" ? undefined : id].filter((one) => one !== undefined);
        const isAbout = about.some((one) => text.includes(`"${one}"`)) || text.includes(`"task":${id}`);
        if (isAbout) setCount((before) => before + 1);
      }),
    [id, kind, terminal, agentId],
  );
  return count;
}
