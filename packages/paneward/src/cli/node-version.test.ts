import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeVersionError } from "./node-version.ts";

test("the error names the running Node version and the one needed", () => {
  for (const running of ["18.20.8", "20.20.2", "22.12.0"])
    assert.match(
      nodeVersionError(running, ">=22.13.0") ?? "",
      new RegExp(`Node ${running}, .* needs 22\\.13\\.0 or newer`),
    );
  for (const running of ["22.13.0", "22.13.1", "22.100.0", "24.0.0", "26.0.0", "30.1.2"])
    assert.equal(nodeVersionError(running, ">=22.13.0"), undefined, running);
});
