import { describe } from "node:test";
import { contract } from "./contract/contract.ts";
import { hereSpawned } from "./support/place.ts";

describe("on this machine by a process per command", { concurrency: 4 }, () => contract(() => hereSpawned));
