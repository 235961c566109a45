import { workerData } from "node:worker_threads";
import type { CopyJob } from "./backups.ts";
import { copyInto } from "./copy.ts";
import { openSqlite } from "./sqlite.ts";

// Runs on a thread of its own.
const { from, to } = workerData as CopyJob;
const source = openSqlite(from, 10_000, { readOnly: true });
copyInto(source, to);
source.close();
