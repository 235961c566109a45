import { restoreWords } from "@paneward/sdk/text";
import type { View } from "@paneward/sdk/view";
import { client } from "../api/client.ts";
import { showMessage } from "../state/notices.ts";
import { useMay } from "../state/session.ts";
import { Act } from "../ui/Act.tsx";

/** After a reboot: how many programs were lost, and a button that starts them again. */
export function LostPrograms({ restore }: Pick<View, "restore">) {
  const mayRestore = useMay("send");
  const words = restore && restoreWords(restore);
  if (words === undefined) return null;
  const restoreAll = async () => {
    const { restored } = await client.restore({});
    const failed = restored.filter(({ outcome }) => outcome === "cannot");
    const done = `${restored.length - failed.length} restored`;
    showMessage([done, ...failed.map(({ name, reason }) => `${name}: ${reason}`)].join("; "));
  };
  return (
    <section class="tell" aria-label="lost programs">
      <p>{words}</p>
      {mayRestore && (
        <Act kind="main" act={restoreAll}>
          Restore all
        </Act>
      )}
    </section>
  );
}
