import { files, text } from "../../test/support/repository.ts";
import { pathOf, seedRowsIn } from "../../test/support/seed-rows.ts";
import type { Ran } from "./ran.ts";

/** The tests that the tables of the seed documents name. */
export function testsOfTheSeeds(): readonly Ran[] {
  return files("docs/seeds/*.md").flatMap((page) =>
    seedRowsIn(text(page)).flatMap(({ tests }) => tests.map((test) => ({ file: pathOf(page, test), name: test.name }))),
  );
}
