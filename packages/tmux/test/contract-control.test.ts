import { describe } from "node:test";
import { contract } from "./contract/contract.ts";
import { here } from "./support/place.ts";

describe("on this machine by control mode", { concurrency: 4 }, () => contract(() => here));
