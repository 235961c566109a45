import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openSession } from "../../src/terminal.ts";
import { privateServer, written } from "../support/place.ts";
import { openTerminal, type PlaceOf, shell } from "./fixture.ts";

const hostileArguments = [
  'it\'s "quoted" `id` $(id) $HOME $x',
  "~",
  "~/x",
  "#{pane_id} #(id) ## #[bold]",
  "semi;colon",
  "trailing;",
  ";",
  "\\;",
  "-leading",
  "--",
  "two\nlines\r\n\ttab ",
  "%Y %% %1 100%",
  "back\\slash\\\\ \\012 \\n",
  "{ braces } [ ] * ? ! & | < > ( )",
  "ünïcödé 日本語 🙂 👩‍👩‍👧 e\u0301 \u00a0 \u{10ffff}",
  "\u0001\u001b[31m\u007f\u0085",
  "",
];

const report = 'printf "%s\\0" "$@" >"$0.tmp" && mv "$0.tmp" "$0"; sleep 1000';

/** Any argument reaches the program unchanged. */
export function argumentsContract(place: PlaceOf): void {
  test("hostile arguments arrive as argv unchanged, with a journal", async (t) => {
    const argv = (folder: string) => ["sh", "-c", report, join(folder, "argv"), ...hostileArguments];
    const { folder } = await openTerminal(t, place(), argv);
    assert.deepEqual((await written(join(folder, "argv"))).split("\0").slice(0, -1), hostileArguments);
  });

  test("hostile arguments arrive as argv unchanged, without a journal", async (t) => {
    const { server, folder } = await privateServer(t, place());
    const out = join(folder, "argv");
    await openSession(server, { name: "work", argv: ["sh", "-c", report, out, ...hostileArguments] });
    assert.deepEqual((await written(out)).split("\0").slice(0, -1), hostileArguments);
  });

  test("hostile values arrive as environment unchanged", async (t) => {
    const { server, folder } = await privateServer(t, place());
    const out = join(folder, "env");
    const env = Object.fromEntries(hostileArguments.map((value, at) => [`V${at}`, value]));
    await openSession(server, {
      name: "work",
      argv: shell('env -0 >"$1.tmp"; mv "$1.tmp" "$1"; sleep 1000', out),
      env,
    });
    const found = (await written(out)).split("\0");
    for (const [at, value] of hostileArguments.entries()) assert.ok(found.includes(`V${at}=${value}`), `V${at}`);
  });

  test("a program runs in a folder with a hostile name", async (t) => {
    const { server, folder } = await privateServer(t, place());
    const names = hostileArguments.filter((name) => name !== "" && !name.includes("/"));
    for (const [at, last] of ["trailing;", "hash#"].entries()) {
      const cwd = join(folder, ...names, last);
      await mkdir(cwd, { recursive: true });
      const out = join(folder, `cwd${at}`);
      const argv = shell('printf %s. "$PWD" >"$1.tmp"; mv "$1.tmp" "$1"; sleep 1000', out);
      await openSession(server, { name: `work${at}`, argv, cwd });
      assert.equal(await written(out), `${cwd}.`);
    }
  });

  test("one argument alone is a program, not a shell command", async (t) => {
    const { server } = await privateServer(t, place());
    const opening = openSession(server, { name: "work", argv: ["sleep 1000"] });
    await assert.rejects(opening, { type: "subprocess_failed", message: /sleep 1000/ });
  });
}
