import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutRef } from "./packed-refs.ts";

const id = "a".repeat(40);
const head = "# pack-refs with: peeled fully-peeled sorted \n";

test("a packed ref is taken out with the line below it, and no other", () => {
  const packed = `${head}${id} refs/heads/main\n${id} refs/heads/x/main\n${id} refs/tags/v1\n^${id}\n${id} refs/tags/v2\n`;
  assert.equal(withoutRef(packed, "refs/heads/main"), packed.replace(`${id} refs/heads/main\n`, ""));
  assert.equal(withoutRef(packed, "refs/tags/v1"), packed.replace(`${id} refs/tags/v1\n^${id}\n`, ""));
  assert.equal(withoutRef(packed, "refs/heads/mai"), packed);
  assert.equal(withoutRef(packed, "heads/main"), packed);
  assert.equal(withoutRef("", "refs/heads/main"), "");
});
