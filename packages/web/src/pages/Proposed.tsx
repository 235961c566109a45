import type { Proposal } from "@paneward/sdk";
import { Diff } from "../ui/Diff.tsx";

/** What would be done. */
export function Proposed({ proposal = {} }: { readonly proposal?: Proposal | undefined }) {
  const { tool, command, path, diff, more } = proposal;
  return (
    <>
      {tool !== undefined && <p class="quiet">{`with ${tool}`}</p>}
      {command !== undefined && <pre class="command">{command}</pre>}
      {path !== undefined && <pre class="command">{path}</pre>}
      {diff !== undefined && <Diff text={diff} />}
      {more !== undefined && <pre class="command">{more}</pre>}
    </>
  );
}
