import { askedWords, doubtWords, proposalLine, type Row, reasonOf } from "@paneward/sdk/view";
import { useCallback } from "preact/hooks";
import { activity } from "../state/activity.ts";
import { linkTo } from "../state/route.ts";
import { timelines } from "../state/timelines.ts";
import { useValue } from "../state/value.ts";
import { Age } from "../ui/Age.tsx";
import { memo } from "../ui/memo.ts";
import { Sparkline } from "../ui/Sparkline.tsx";
import { Status } from "../ui/Status.tsx";
import { Timeline } from "../ui/Timeline.tsx";
import { Work } from "../ui/Work.tsx";

/** One task, terminal or agent on the overview. */
export const Card = memo(({ row }: { readonly row: Row }) => {
  const { kind, id, name, status, why, needsMe, question, agent, branch, work } = row;
  return (
    <article class={`card ${needsMe ? "needs" : status.toLowerCase()}`} data-id={id}>
      <header>
        <h3>
          <a href={linkTo(kind, id)}>{name}</a>
        </h3>
        <Status status={status} needsMe={needsMe} />
      </header>
      <p class="facts">
        <span>{agent}</span>
        {branch !== "" && <span class="branch">{branch}</span>}
        <Work work={work} />
        <span class="since">
          <Age since={why.since} />
        </span>
      </p>
      {question ? <p class="question">{askedWords(question)}</p> : <p class="reason">{reasonOf(row)}</p>}
      {question?.proposal?.command !== undefined && <code class="proposal">{proposalLine(question.proposal)}</code>}
      {question?.whole === false && <p class="doubt">{doubtWords(question)}</p>}
      <RecentActivity row={row} />
    </article>
  );
});

function RecentActivity({ row }: { readonly row: Row }) {
  const { terminal, key } = row;
  const recent = useValue(
    activity,
    useCallback((all: ReturnType<typeof activity.get>) => all.get(terminal ?? ""), [terminal]),
  );
  const known = useValue(
    timelines,
    useCallback((all: ReturnType<typeof timelines.get>) => all.get(key), [key]),
  );
  const last = row.question ? "" : recent?.last || row.lastLine;
  return (
    <>
      {last !== "" && <p class="last">{last}</p>}
      <footer>
        <Timeline since={row.createdAt} line={known ?? [{ status: row.status, from: row.why.since, to: Date.now() }]} />
        <Sparkline counts={recent?.counts ?? []} />
      </footer>
    </>
  );
}
