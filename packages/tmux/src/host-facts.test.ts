import assert from "node:assert/strict";
import { test } from "node:test";
import { factsFrom } from "./host-facts.ts";

test("reads a host's user, shell and default socket from its output", () => {
  const facts = factsFrom(
    "PATH=/bin\nHOME=/home/artie\nSHELL=\nUSER=artie\nuid=1000\nbash=/usr/bin/bash\nstate=/s/paneward\n",
  );
  assert.equal(facts.home, "/home/artie");
  assert.equal(facts.shell, "/usr/bin/bash");
  assert.equal(facts.defaultSocket, "/tmp/tmux-1000/default");
  assert.equal(facts.stateFolder, "/s/paneward");
  assert.deepEqual(facts.env, {
    LANG: "C.UTF-8",
    PATH: "/bin",
    HOME: "/home/artie",
    USER: "artie",
    SHELL: "/usr/bin/bash",
  });
});

test("a host without variables still has a home and a shell", () => {
  const { home, shell, stateFolder } = factsFrom("PATH=/bin\nuid=0\n");
  assert.deepEqual([home, shell, stateFolder], ["/", "/bin/sh", "/tmp/paneward"]);
});
