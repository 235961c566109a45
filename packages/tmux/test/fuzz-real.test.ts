import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { sendText } from "../src/input.ts";
import { setPaneTitle } from "../src/pane.ts";
import { openTerminal, printed, shell } from "./contract/fixture.ts";
import { amount } from "./support/amount.ts";
import { here, hereSpawned, privateServer, written } from "./support/place.ts";
import { fuzz, hostileText, random } from "./support/random.ts";

for (const place of [here, hereSpawned]) {
  test(`random text survives the quoting of a real tmux unchanged, on ${place.name}`, async (t) => {
    const { server, folder } = await privateServer(t, place);
    const path = join(folder, "out file;");
    const check = async (text: string) => {
      await server.run([
        ["set-buffer", "-b", "fuzz", "--", text],
        ["save-buffer", "-b", "fuzz", path],
      ]);
      assert.equal(await readFile(path, "utf8"), text);
    };
    await fuzz((random) => check(hostileText(random)), place === here ? amount(400, 20_000) : amount(150, 3_000));
  });
}

test("random text that is typed arrives unchanged", async (t) => {
  const chance = random(t);
  const texts = Array.from({ length: amount(200, 3_000) }, () => hostileText(chance).replace(/[\r\n]/g, ""));
  const typed = texts.join("");
  const argv = (folder: string) =>
    shell(
      'stty raw -echo; printf ready; head -c "$1" >"$2.tmp"; mv "$2.tmp" "$2"; sleep 1000',
      String(Buffer.byteLength(typed)),
      join(folder, "typed"),
    );
  const { server, pane, folder, journal } = await openTerminal(t, here, argv);
  await printed(journal, "ready");
  for (const text of texts) await sendText(server, pane, text);
  assert.equal(await written(join(folder, "typed")), typed);
});

test("no random title runs anything or changes another answer", async (t) => {
  const { server, pane } = await openTerminal(t, here, ["sleep", "1000"]);
  await fuzz(
    async (random) => {
      // tmux silently keeps the old title if its C library does not know a character.
      const title = hostileText(random).replace(/[^\x20-\x7eéß日本🙂]/gu, "");
      const [, [shown], [after]] = await Promise.all([
        setPaneTitle(server, pane, title),
        server.run([["display-message", "-p", "-t", pane, "#{pane_title}"]], { untrusted: true }),
        server.run([["display-message", "-p", "after"]]),
      ]);
      assert.equal(shown ?? "", title);
      assert.equal(after, "after");
    },
    amount(200, 5_000),
  );
});
