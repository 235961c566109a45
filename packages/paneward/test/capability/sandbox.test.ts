import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { mergeConfig } from "@paneward/sdk";
import { parse } from "smol-toml";

const read = (name: string) => readFileSync(new URL(`../../../../examples/sandbox/${name}`, import.meta.url), "utf8");

test("the sandbox is locked up, and the container has the name that the configuration asks for", () => {
  const compose = read("compose.yaml");
  const lines = [
    /^ {2}sandbox:$/m,
    /^ {4}container_name: coachartie-sandbox$/m,
    /^ {4}network_mode: none$/m,
    /^ {6}- no-new-privileges:true$/m,
    /^ {4}mem_limit: 512m$/m,
    /^ {4}cpus: 1\.0$/m,
    /^ {6}- workspace:\/workspace$/m,
  ];
  for (const line of lines) assert.match(compose, line);
  assert.match(read("Containerfile"), /^USER artie$/m);
  assert.match(read("Containerfile"), /\btmux\b/);
});

test("the sandbox's configuration is understood without a warning", () => {
  const { config, warnings } = mergeConfig([{ name: "config.toml", value: parse(read("config.toml")) }]);
  assert.deepEqual(warnings, []);
  assert.deepEqual(config.hosts.sandbox?.prefix, ["docker", "exec", "-i", "coachartie-sandbox"]);
  assert.equal(config.capability.host, "sandbox");
});
