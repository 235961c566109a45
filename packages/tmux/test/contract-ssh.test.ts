import { before } from "node:test";
import { contract, spawnedFarAway } from "./contract/contract.ts";
import { temporaryFolder } from "./support/folder.ts";
import type { Place } from "./support/place.ts";
import { lacksSsh, startSshd } from "./support/sshd.ts";
import { suiteThatNeeds } from "./support/suite.ts";

for (const transport of ["control", "spawn"] as const) {
  suiteThatNeeds(`through ssh by ${transport}`, lacksSsh(), (suite) => {
    let place: Place;
    before(async () => {
      place = { name: "ssh", host: await startSshd(suite), transport, folder: temporaryFolder };
    });
    const ask = transport === "control" ? contract : spawnedFarAway;
    ask(() => place);
  });
}
