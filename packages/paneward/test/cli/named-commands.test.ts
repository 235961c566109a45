import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { errorTable } from "@paneward/sdk";
import { allCommands } from "../../src/cli/command-table.ts";

const packages = join(import.meta.dirname, "../../..");
const names = new Set(allCommands.map(({ name }) => name));
const groups = new Set([...names].filter((name) => name.includes(" ")).map((name) => name.split(" ")[0]));

/** The commands that a text tells people to type, and that there are not. */
function unknownIn(text: string): readonly string[] {
  const typed = [...text.matchAll(/`paneward ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/g)];
  return typed.flatMap(([, first = "", second = ""]) => {
    if (names.has(first) || first === "help") return [];
    return groups.has(first) && (second === "" || names.has(`${first} ${second}`)) ? [] : [`${first} ${second}`.trim()];
  });
}

/** The options that a text tells people to type, and that their commands do not have. */
function unknownOptionsIn(text: string): readonly string[] {
  return [...text.matchAll(/`paneward ([a-z][^`\n]*)`/g)].flatMap(([, typed = ""]) => {
    const [own = ""] = typed.split(" -- ");
    const command = allCommands
      .filter(({ name }) => `${own} `.startsWith(`${name} `))
      .toSorted((a, b) => b.name.length - a.name.length)[0];
    const known = (command?.options ?? []).flatMap(([flags]) => flags.match(/--?[a-z][a-z-]*/g) ?? []);
    const given = own.match(/(?<= )--?[a-z][a-z-]*/g) ?? [];
    const usual = ["--help", "-h", "--quiet", ...(command?.json === false ? [] : ["--json"])];
    return given.flatMap((option) => ([...known, ...usual].includes(option) ? [] : [`${command?.name} ${option}`]));
  });
}

describe("what the pages and messages say to type", () => {
  test("is a command that there is, in every error, hint and note", () => {
    const sources = ["paneward/src", "sdk/src"].flatMap((folder) =>
      readdirSync(join(packages, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
        .map((name) => join(packages, folder, name)),
    );
    const told = sources.map((path) => [path, readFileSync(path, "utf8")] as const);
    assert.ok(told.filter(([, text]) => /`paneward [a-z]/.test(text)).length > 40, "they were found");
    const wrong = told.flatMap(([path, text]) =>
      [...unknownIn(text), ...unknownOptionsIn(text)].map((command) => `${path}: paneward ${command}`),
    );
    assert.deepEqual(wrong, []);
  });

  test("the check finds a command that there is not", () => {
    assert.deepEqual(unknownIn("`paneward frob x`, `paneward daemon dance`, `paneward ps`, `paneward token list`"), [
      "frob x",
      "daemon dance",
    ]);
    assert.deepEqual(
      unknownOptionsIn("`paneward ps --all --frob`, `paneward rm ID --yes`, `paneward run --name x -- ls --any`"),
      ["ps --frob"],
    );
  });

  // For these no command helps: the message says what to choose, or one can only wait or make room.
  const withoutCommand = [
    "ambiguous",
    "too_large",
    "conflict",
    "rate_limited",
    "storage_full",
    "storage_newer",
    "storage_busy",
  ];
  for (const [code, { hint }] of Object.entries(errorTable)) {
    test(`the hint of ${code} says what to do next${withoutCommand.includes(code) ? "" : ", and names a command"}`, () => {
      assert.ok(hint.length > 15);
      assert.equal(/`paneward [a-zA-Z]/.test(hint), !withoutCommand.includes(code), hint);
    });
  }
});
