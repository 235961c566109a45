import { before } from "node:test";
import type { Host } from "../src/transport/host.ts";
import { contract, spawnedFarAway } from "./contract/contract.ts";
import { temporaryFolder } from "./support/folder.ts";
import type { Place } from "./support/place.ts";
import { lacksSsh, startSshd } from "./support/sshd.ts";
import { suiteThatNeeds } from "./support/suite.ts";

/** The host prints text before every program, like a chatty login script. */
function greeting(host: Host): Host {
  const says = 'printf "Welcome to box!\\n%%begin 1 1 1\\n12\\nLast login: today"; echo motd >&2; exec "$@"';
  return { ...host, prefix: ["sh", "-c", says, "sh", ...host.prefix] };
}

for (const transport of ["control", "spawn"] as const) {
  suiteThatNeeds(`through ssh with a message of the day by ${transport}`, lacksSsh(), (suite) => {
    let place: Place;
    before(async () => {
      place = { name: "ssh", host: greeting(await startSshd(suite)), transport, folder: temporaryFolder };
    });
    const ask = transport === "control" ? contract : spawnedFarAway;
    ask(() => place);
  });
}
