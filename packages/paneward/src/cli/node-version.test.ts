import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeVersionError } from "./node-version.ts";

test("the error names the running Node version and the one needed", () => {
  for (const running of ["20.20.2", "22.21.0", "24.20.9"])
    assert.match(
      nodeVersionError(running, ">=24.21.0") ?? "",
      new RegExp(`Node ${running}, .* needs 24\\.21\\.0 or newer`),
    );
  for (const running of ["24.21.0", "24.22.0", "24.100.0", "26.0.0", "30.1.2"])
    assert.equal(nodeVersionError(running, ">=24.21.0"), undefined, running);
});
