import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { before } from "node:test";
import { inContainer, spawnedFarAway } from "./contract/contract.ts";
import type { Place } from "./support/place.ts";
import { lacksContainers, startContainer } from "./support/podman.ts";
import { suiteThatNeeds } from "./support/suite.ts";

for (const transport of ["control", "spawn"] as const) {
  suiteThatNeeds(`in a container by ${transport}`, lacksContainers(), (suite) => {
    let place: Place;
    before(async () => {
      const { host, shared } = await startContainer(suite);
      const folder = () => mkdtemp(join(shared, "test-"));
      place = { name: "container", host, transport, folder, endsServers: true };
    });
    const ask = transport === "control" ? inContainer : spawnedFarAway;
    ask(() => place);
  });
}
