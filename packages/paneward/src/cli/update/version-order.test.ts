import assert from "node:assert/strict";
import { test } from "node:test";
import { isNewer } from "./version-order.ts";

test("versions are ordered as semver says", () => {
  const inOrder =
    "0.1.0 0.1.1 0.2.0 0.10.0 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-rc.2 1.0.0-rc.11 1.0.0 10.0.0";
  const versions = inOrder.split(" ");
  for (const [at, one] of versions.entries())
    for (const [place, other] of versions.entries()) assert.equal(isNewer(one, other), at > place, `${one} ${other}`);
  assert.equal(isNewer("1.0.0+build2", "1.0.0+build1"), false);
});
