import { countsOf, groupsOf, plainArrangement, rowsOf, type View } from "@paneward/sdk/view";
import { useState } from "preact/hooks";
import { view } from "../state/live.ts";
import { linkTo } from "../state/route.ts";
import { useMay } from "../state/session.ts";
import { useValue } from "../state/value.ts";
import { useNarrow } from "../ui/narrow.ts";
import { Card } from "./Card.tsx";
import { LostPrograms } from "./LostPrograms.tsx";
import { TellMe } from "./TellMe.tsx";
import { WaitingAnswers } from "./WaitingAnswers.tsx";

/** Everything by project, rows that need a person first. */
export function Overview() {
  const shown: View = useValue(view);
  const mayNew = useMay("send");
  // A phone has no key for it.
  const isNarrow = useNarrow();
  const [filter, setFilter] = useState("");
  const [needsMe, setNeedsMe] = useState(false);
  const [completed, setCompleted] = useState(false);
  const rows = rowsOf(shown);
  const counts = countsOf(rows);
  const groups = groupsOf(rows, { ...plainArrangement, filter, needsMe, completed });
  return (
    <main class="overview">
      <div class="bar">
        <h1>
          {counts.needMe > 0 ? `${counts.needMe} ${counts.needMe === 1 ? "needs" : "need"} you` : "Nothing needs you"}
        </h1>
        <p class="counts">{`${counts.running} running · ${counts.idle} idle · ${counts.ended} ended`}</p>
        <div class="tools">
          <input
            type="search"
            id="filter"
            aria-label="Filter"
            placeholder={isNarrow ? "Filter" : "Filter  /"}
            value={filter}
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
          />
          <button type="button" class="toggle" aria-pressed={needsMe} onClick={() => setNeedsMe(!needsMe)}>
            Needs me
          </button>
          <button type="button" class="toggle" aria-pressed={completed} onClick={() => setCompleted(!completed)}>
            Completed
          </button>
          {mayNew && (
            <a class="act main" href={linkTo("new")}>
              New task
            </a>
          )}
        </div>
      </div>
      <WaitingAnswers />
      <LostPrograms restore={shown.restore} />
      {rows.length > 0 && <TellMe />}
      {groups.length === 0 && <Empty isFiltered={rows.length > 0} />}
      {groups.map((group) => (
        <section key={group.folder} class="project">
          <h2 title={group.folder}>
            {group.name} <small>{group.rows.length}</small>
          </h2>
          <div class="cards">
            {group.rows.map((row) => (
              <Card key={row.key} row={row} />
            ))}
          </div>
        </section>
      ))}
    </main>
  );
}

function Empty({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <p class="empty">Nothing matches this filter.</p>;
  return (
    <div class="empty">
      <p>Nothing runs yet. Start something here, or in a terminal:</p>
      <pre>{'paneward new "what to do"\npaneward run -- make\npaneward demo'}</pre>
    </div>
  );
}
