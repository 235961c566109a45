import type { Row } from "@paneward/sdk/view";
import { client } from "../api/client.ts";
import { go } from "../state/route.ts";
import { useMay } from "../state/session.ts";
import { Act } from "../ui/Act.tsx";

/** The actions available now, as far as the scope allows. */
export function TaskActions({ row }: { readonly row: Row }) {
  const [maySend, mayMerge] = [useMay("send"), useMay("approve")];
  const { id, kind, status } = row;
  if (!maySend || row.adopted) return null;
  const isTask = kind === "task";
  const mayStart = isTask && (status === "Draft" || status === "Stopped");
  const isAlive = status === "Running" || status === "Idle" || status === "Waiting";
  return (
    <div class="actions">
      {mayStart && (
        <Act kind="main" act={() => client.start({ id })} done="Started">
          Start
        </Act>
      )}
      {isAlive && (
        <Act act={() => client.stop({ id })} done="Stopped">
          Stop
        </Act>
      )}
      {!isAlive && !mayStart && (
        <Act act={() => client.restart({ id })} done="Started again">
          Restart
        </Act>
      )}
      {isTask && mayMerge && status !== "Draft" && (
        <Act act={() => client.merge({ id })} done="Merged" title="rebase and fast-forward its base">
          Merge
        </Act>
      )}
      {isTask && status !== "Completed" && (
        <Act act={() => client.complete({ id })} done="Completed">
          Complete
        </Act>
      )}
      <Act
        kind="bad"
        confirm={`Remove ${row.name}? Unmerged work is kept and can be restored.`}
        act={async () => {
          await client.rm({ id });
          go();
        }}
        done={isTask ? "Removed; Tasks → Undo restores it" : "Removed"}
      >
        Remove
      </Act>
    </div>
  );
}
