import { client } from "../api/client.ts";
import { Diff } from "../ui/Diff.tsx";
import { Loaded, useAnswer } from "../ui/Loaded.tsx";

/** The task's diff against its base. */
export function Changes({ id, again }: { readonly id: string; readonly again: number }) {
  const found = useAnswer((signal) => client.diff({ id }, { signal }), [id, again]);
  return (
    <Loaded of={found}>
      {({ base, diff, truncated }) => (
        <>
          <p class="quiet">{`against ${base}${truncated ? "; truncated" : ""}`}</p>
          {diff === "" ? <p class="quiet">No changes yet.</p> : <Diff text={diff} />}
        </>
      )}
    </Loaded>
  );
}
