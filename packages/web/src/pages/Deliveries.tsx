import { client } from "../api/client.ts";
import { clockOf } from "../ui/clock.ts";
import { Loaded, useAnswer } from "../ui/Loaded.tsx";

/** Texts sent to it, and the state of each delivery. */
export function Deliveries({ id, again }: { readonly id: string; readonly again: number }) {
  const found = useAnswer((signal) => client.deliveries({ id }, { signal }), [id, again]);
  return (
    <Loaded of={found}>
      {({ deliveries }) => (
        <ul class="rows">
          {deliveries.length === 0 && <li class="quiet">Nothing sent yet.</li>}
          {deliveries.map((one) => (
            <li key={one.id}>
              <span class={`receipt ${one.state}`}>{one.state}</span>
              <span class="text">{one.text ?? ""}</span>
              <span class="quiet">{`${one.by ?? ""} ${clockOf(one.updatedAt)} ${one.reason ?? ""}`}</span>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
}
