import { ageOf } from "@paneward/sdk/text";
import { client } from "../api/client.ts";
import { Loaded, useAnswer } from "../ui/Loaded.tsx";

/** Why it has its status: each piece of evidence, its time, and which one was used. */
export function Explain({ id, again }: { readonly id: string; readonly again: number }) {
  const found = useAnswer((signal) => client.explain({ id }, { signal }), [id, again]);
  return (
    <Loaded of={found}>
      {({ status, why, witnesses }) => (
        <>
          <p>
            <strong>{status}</strong>
            {` for ${ageOf(why.since, Date.now())}, reported by ${why.source}: ${why.rule}`}
          </p>
          {why.evidence !== undefined && <pre class="command">{why.evidence}</pre>}
          <ul class="rows">
            {witnesses.map((one) => (
              <li key={`${one.witness} ${one.says}`}>
                <span class={`receipt ${one.used ? "acknowledged" : "queued"}`}>{one.used ? "used" : "not used"}</span>
                <span class="text">{`${one.witness}: ${one.says}`}</span>
                <span class="quiet">{`${one.because === undefined ? "" : `${one.because} · `}${ageOf(one.at, Date.now())} ago`}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Loaded>
  );
}
