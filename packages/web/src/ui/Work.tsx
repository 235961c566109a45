import type { WorkAmount } from "@paneward/sdk";

/** Uncommitted lines, and commits ahead of the base. */
export function Work({ work }: { readonly work: WorkAmount | undefined }) {
  if (!work || (work.added === 0 && work.removed === 0 && work.ahead === 0)) return null;
  return (
    <span class="work">
      {work.added > 0 && <b class="plus">{`+${work.added}`}</b>}
      {work.removed > 0 && <b class="minus">{`−${work.removed}`}</b>}
      {work.ahead > 0 && <b>{`↑${work.ahead}`}</b>}
    </span>
  );
}
