import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzz, hostileText, type Random } from "../../../tmux/test/support/random.ts";
import { namedFiles } from "../../src/model/named-files.ts";

test("a script is found however it is written, and what is written into is not", () =>
  fuzz((random) => {
    const command = generated(random);
    const files = namedFiles(command);
    assert.ok(
      files.some(({ path, surely }) => surely && path === "tools/x.sh"),
      command,
    );
    assert.ok(!files.some(({ path }) => path.includes("out.txt")), command);
  }, 2_000));

test("no text takes long or fails", () =>
  fuzz((random) => {
    const pieces = ["$(", "`", '"', "'", "${", "sh -c ", "<(", "(", ")", "eval ", "cd a;", "make -f "];
    const text = Array.from({ length: 1 + random.below(20) }, () =>
      random.below(2) === 0 ? random.pick(pieces).repeat(1 + random.below(5)) : hostileText(random),
    ).join("");
    namedFiles(text);
    namedFiles(["sh", "-c", text, text]);
  }, 1_000));

/** A command that runs tools/x.sh and writes out.txt. */
function generated(random: Random): string {
  const { pick, below } = random;
  const quoted = (word: string) => pick([word, `'${word}'`, `"${word}"`, `${word.slice(0, 3)}"${word.slice(3)}"`]);
  const path = pick([
    quoted("tools/x.sh"),
    quoted("./tools/x.sh"),
    `$PWD/${quoted("tools/x.sh")}`,
    '"$(pwd)/tools/x.sh"',
    '"$D"/x.sh',
  ]);
  const run = pick([
    `sh ${path}`,
    `/bin/bash -eu ${path} more`,
    `. ${path}`,
    `python3 -u ${path}`,
    `${path} --go`,
    `env A=b nice sh ${path}`,
    `sh <${path}`,
    `cat ${path} | sh -s`,
    `cd tools && sh ${quoted("x.sh")}`,
    `(cd ./tools; . ${quoted("./x.sh")})`,
  ]);
  const noise = () =>
    pick(["true", "echo hi", 'echo "a; b"', "A=1", "ls -l | wc", "# sh no.sh\ntrue", "test -d x || :"]);
  const written = pick([" >out.txt", " > 'out.txt'", " 2>>out.txt", " >out.txt 2>&1", ""]);
  const around = [
    ...Array.from({ length: below(3) }, noise),
    `${run}${written}`,
    ...Array.from({ length: below(3) }, noise),
  ];
  return `D=tools; ${around.join(pick(["; ", " && ", "\n", " & "]))}`;
}
