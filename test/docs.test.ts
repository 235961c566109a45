import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { eventTypes } from "@paneward/sdk/reference";
import { generatedPages, parts, renewed } from "../scripts/docs/pages.ts";
import { examplesIn, headingsIn, linksIn } from "./support/markdown.ts";
import { makePlace } from "./support/place.ts";
import { files, root, text } from "./support/repository.ts";

describe("examples", { concurrency: 3 }, () => {
  const pages = files("README.md", "docs/**/*.md", "packages/*/README.md");
  const found = pages.map((page) => ({ page, examples: examplesIn(text(page)) }));

  test("there are some", () => assert.ok(found.flatMap(({ examples }) => examples).length > 10));

  for (const { page, examples } of found.filter(({ examples }) => examples.length > 0)) {
    test(`${page}, from top to bottom`, async (t) => {
      const place = await makePlace();
      t.after(() => place.close());
      for (const example of examples) {
        await t.test(`line ${example.line} runs`, async () => {
          const { code, stdout, stderr } = await place.run(example);
          assert.equal(code, 0, `${stdout}${stderr}`);
          if (example.prints !== undefined) assert.equal(stdout, example.prints);
        });
      }
    });
  }
});

describe("generated parts", () => {
  const pages = generatedPages(root);

  for (const { path, there, wanted } of pages) {
    test(`${path} says what the code says`, () => {
      assert.equal(there, wanted, `${path} is stale: \`npm run docs\` renews it`);
      assert.equal(renewed(wanted, parts), wanted, "a second run changes nothing");
    });
  }

  for (const name of Object.keys(parts)) {
    test(`the part "${name}" is on a page`, () => {
      assert.ok(pages.some(({ there }) => there.includes(`<!-- generated: ${name} -->`)));
    });
  }

  test("are made again between their marks, and nothing else is", () => {
    const page = "a\n<!-- generated: x -->\nold\n<!-- end -->\nb\n<!-- generated: x -->\n<!-- end -->\n";
    const part = "<!-- generated: x -->\n\nnew $&\n\n<!-- end -->";
    assert.equal(renewed(page, { x: () => "new $&" }), `a\n${part}\nb\n${part}\n`);
  });

  test("need a name that is known, and an end", () => {
    const made = { x: () => "" };
    assert.throws(() => renewed("<!-- generated: y -->\n<!-- end -->", made), /nothing makes "y"; there are x/);
    assert.throws(() => renewed("<!-- generated: x -->\nold", made), /no <!-- end --> follows/);
    const forgotten = "<!-- generated: x -->\n<!-- generated: x -->\n<!-- end -->";
    assert.throws(() => renewed(forgotten, made), /no <!-- end --> follows/);
  });
});

describe("pages say what the code says", () => {
  test("docs/daemon.md has every variable that the product reads or sets", () => {
    const daemon = text("docs/daemon.md");
    const sources = files("packages/paneward/src/**/*.ts", "packages/sdk/src/**/*.ts");
    const used = sources
      .filter((path) => !path.endsWith(".test.ts"))
      .flatMap((path) => text(path).match(/\b(PANEWARD|AGENCY)_[A-Z_]+\b/g) ?? []);
    assert.ok(used.length > 10);
    assert.deepEqual(
      [...new Set(used)].filter((name) => !daemon.includes(`\`${name}\``)),
      [],
    );
  });

  test("docs/seed-messages.md names only operations and events that exist", () => {
    const page = text("docs/seed-messages.md");
    const messages = ["StartTask", "StopTask", "ListSessions", "SubscribeEvents", "NotifyTasksChanged", "Shutdown"];
    for (const name of [...messages, "Ping", "Ack", "Error", "Pong"])
      assert.match(page, new RegExp(`^\\| \`${name}\``, "m"));
    const events = page.match(/`(terminal|task|tasks|sessions)_[a-z_]+`/g) ?? [];
    assert.deepEqual(
      events.filter((name) => !eventTypes.some((type) => `\`${type}\`` === name)),
      [],
    );
  });

  test("ARCHITECTURE.md names every room of the daemon, and none that is not there", () => {
    const [, table = ""] = /^\| Room \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(text("ARCHITECTURE.md")) ?? [];
    const named = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`([\w/]+?)(?:\/\*\.ts)?`/g)].map(([, room = ""]) => room),
    );
    const source = "packages/paneward/src";
    const rooms = files(`${source}/*/`, `${source}/runtime/*/`).map((path) => path.slice(source.length + 1));
    assert.ok(rooms.length > 20);
    assert.deepEqual([...new Set(named)].sort(), rooms.sort());
  });

  test("ARCHITECTURE.md is one page", () => {
    assert.ok(text("ARCHITECTURE.md").split("\n").length <= 110);
  });

  for (const page of files("docs/decisions/*.md")) {
    test(`${page} is short`, () => assert.ok(text(page).trimEnd().split("\n").length <= 25));
  }
});

describe("links", () => {
  for (const page of files("*.md", "docs/**/*.md", "packages/**/*.md")) {
    test(`${page} points to what exists`, () => {
      const broken = linksIn(text(page)).filter(({ target, heading }) => {
        const path = target === "" ? page : join(dirname(page), target);
        if (!existsSync(join(root, path))) return true;
        return heading !== undefined && !headingsIn(text(path)).includes(heading);
      });
      assert.deepEqual(broken, []);
    });
  }
});

describe("reading a page", () => {
  const page = [
    "See [this](docs/a.md#part), [that](https://example.org) and `[not](this.md)`.",
    "```ts run",
    "console.log(1);",
    "```",
    "```text prints",
    "1",
    "```",
    "```sh",
    "rm -rf [never](run.md)",
    "```",
  ].join("\n");

  test("finds what is marked as runnable, with what it prints", () => {
    assert.deepEqual(examplesIn(page), [{ language: "ts", line: 2, code: "console.log(1);\n", prints: "1\n" }]);
  });

  test("knows headings by the names that links use", () => {
    assert.deepEqual(headingsIn("# A `b-c` d, e\n```sh\n# no heading\n```\n## Wer Ä sagt"), [
      "a-b-c-d-e",
      "wer-ä-sagt",
    ]);
  });

  test("finds links into the repository, not those of the web or in code", () => {
    assert.deepEqual(linksIn(page), [{ target: "docs/a.md", heading: "part" }]);
  });
});
