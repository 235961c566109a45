import { client } from "../api/client.ts";
import { Loaded, useAnswer } from "../ui/Loaded.tsx";

/** The hosts with a tmux server. */
export function Hosts() {
  const found = useAnswer((signal) => client.hosts({}, { signal }), []);
  return (
    <main class="page">
      <h1>Hosts</h1>
      <Loaded of={found}>
        {({ hosts }) => (
          <ul class="rows">
            {hosts.map((host) => (
              <li key={host.name}>
                <strong>{host.name}</strong>
                <span class={`receipt ${host.state === "connected" ? "acknowledged" : "queued"}`}>
                  {host.state.replace("_", " ")}
                </span>
                <span class="text">{host.prefix.join(" ") || host.socket}</span>
                <span class="quiet">
                  {[host.tmux, host.latency_ms === undefined ? "" : `${host.latency_ms.toFixed(1)} ms`, host.reason]
                    .filter(Boolean)
                    .join(" · ")}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </main>
  );
}
