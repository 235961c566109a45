import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fuzz } from "../../../tmux/test/support/random.ts";
import { ownPeers } from "../../src/system/own-peers.ts";
import { ask } from "../http/support/ask.ts";
import { served } from "../http/support/served.ts";
import { afterwards, type Cleanup, temporaryFolder } from "../support/folder.ts";
import { until } from "../support/until.ts";

/** A daemon on whose port programs of two users are; `own` has the ports of this one. */
async function crowded(t: Cleanup, maxStrangers: number) {
  const own = new Set<number>();
  const connecting = new Set<Promise<unknown>>();
  let looks = 0;
  const place = await served(t, {
    ownPeers: async () => {
      looks++;
      // The kernel knows whose a connection is as soon as there is one.
      await Promise.all(connecting);
      return own;
    },
    connections: { maxConnections: 1_024, maxStrangers, maxKept: 512 },
    sites: { origins: ["https://box.test"], funnel: false },
  });
  const open = async (isOwn: boolean, from: { readonly localAddress?: string; readonly localPort?: number } = {}) => {
    const socket = connect({ port: place.port, host: "127.0.0.1", ...from });
    const state = { socket, isOwn, isClosed: false };
    socket
      .resume()
      .on("error", () => {})
      .on("close", () => {
        state.isClosed = true;
      });
    afterwards(t, () => void socket.destroy());
    const connected = once(socket, "connect").then(() => isOwn && own.add(socket.localPort ?? 0));
    connecting.add(connected);
    await connected;
    connecting.delete(connected);
    return state;
  };
  const isAnswered = async (socket: Socket) => {
    socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${place.port}\r\n\r\n`);
    return (await answerOn(socket)).startsWith("HTTP/1.1 200 ");
  };
  return { ...place, open, isAnswered, looks: () => looks };
}

describe("programs of other users, however many connections they open", () => {
  test("never cost a program of this user its own", async () => {
    const maxStrangers = 16;
    await fuzz(async ({ below }) => {
      const cleanups: (() => unknown)[] = [];
      try {
        const { open, isAnswered, looks } = await crowded({ after: (work) => void cleanups.push(work) }, maxStrangers);
        const opened: Awaited<ReturnType<typeof open>>[] = [];
        for (let waves = 4 + below(12); waves > 0; waves--) {
          const left = maxStrangers - opened.filter((one) => one.isOwn).length;
          // While it is looked at whose they are, there may be twice as many.
          const wave = Array.from({ length: 1 + below(maxStrangers) }, () => false);
          for (let own = below(Math.min(left, 5) + 1); own > 0; own--) wave[below(wave.length)] = true;
          opened.push(...(await Promise.all(wave.map((isOwn) => open(isOwn)))));
          await until("others made room", () => opened.filter(isOpen).length <= maxStrangers);
        }
        for (const { socket } of opened.filter(({ isOwn }) => isOwn)) assert.ok(await isAnswered(socket));
        assert.ok(looks() <= opened.length);
      } finally {
        for (const work of cleanups.reverse()) await work();
      }
    }, 10);
  });

  test("leave it the proof of the daemon's identity and the login", async (t) => {
    const { port, open } = await crowded(t, 256);
    const nonce = "0".repeat(32);
    const request = `GET /identity?nonce=${nonce} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    const status = async ({ socket }: { readonly socket: Socket }) => {
      socket.write(request);
      return (await answerOn(socket)).split(" ")[1];
    };
    const tired = async () => {
      const { socket } = await open(false);
      for (let batch = 0; batch < 110; batch++) {
        socket.write(request.repeat(10));
        if (/^HTTP\/1\.1 429 /m.test(await answerOn(socket, 10))) return batch;
      }
      return 0;
    };
    assert.equal(await tired(), 100, "a thousand at once");
    assert.equal(await status(await open(true)), "200", "a program of this user");
    assert.equal(await status(await open(false)), "429", "the next one of another user");
    const proxied = (await open(true)).socket;
    for (let batch = 0; batch < 200 && !proxied.destroyed; batch++) {
      proxied.write(request.replace(/Host: .*/, "Host: box.test").repeat(10));
      if (/^HTTP\/1\.1 429 /m.test(await answerOn(proxied, 10))) break;
      assert.ok(batch < 100, "those who come through a proxy of this user's share one limit");
    }
    const ours = await open(true);
    const alike = await open(false, { localAddress: "127.0.0.2", localPort: ours.socket.localPort ?? 0 });
    assert.equal(await status(alike), "429", "from a port like ours");
    assert.equal(await status(ours), "200");
    assert.equal((await ask(port, { path: "/healthz" })).status, 200);
  });
});

describe("whose a connection is", () => {
  test("is what the kernel says", async (t) => {
    const server = createServer().listen(0, "127.0.0.1");
    afterwards(t, () => void server.close());
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    const mine = connect(port, "127.0.0.1");
    afterwards(t, () => void mine.destroy());
    await once(mine, "connect");
    const uid = process.getuid?.() ?? 0;
    assert.deepEqual([...(await ownPeers(uid)(port))], [mine.localPort]);
    assert.deepEqual([...(await ownPeers(uid + 1)(port))], []);
    assert.deepEqual([...(await ownPeers(uid, "/nowhere")(port))], []);
  });

  test("is not taken from another port, address or direction, nor from one that is closing", async (t) => {
    const folder = await temporaryFolder(t);
    mkdirSync(join(folder, "self", "net"), { recursive: true });
    const row = (local: string, remote: string, state: string, uid: number) =>
      `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000 ${uid}        0 1 1 0 20 4 30 10 -1`;
    const rows = [
      row("0100007F:C001", "0100007F:1CFC", "01", 1_000),
      row("0100007F:C002", "0100007F:1CFC", "01", 1_001),
      row("0100007F:C003", "0100007F:1CFD", "01", 1_000),
      row("0100007F:C004", "0100007F:1CFC", "06", 1_000),
      row("0100007F:1CFC", "0100007F:C005", "01", 1_000),
      row("0100007F:C006", "0A00000A:1CFC", "01", 1_000),
      row("0200007F:C007", "0100007F:1CFC", "01", 1_000),
      "",
      "nonsense",
    ];
    writeFileSync(join(folder, "self", "net", "tcp"), ["  sl  local_address", ...rows].join("\n"));
    assert.deepEqual([...(await ownPeers(1_000, folder)(7_420))].toSorted(), [0xc001]);
  });
});

/** So many responses, or what came before the end. */
function answerOn(socket: Socket, count = 1): Promise<string> {
  assert.ok(!socket.destroyed, "the connection was closed");
  return new Promise((resolve) => {
    let text = "";
    const over = () => {
      socket.off("data", take).off("close", over);
      resolve(text);
    };
    const take = (chunk: Buffer) => {
      text += chunk.toString();
      if (text.split("HTTP/1.1 ").length > count) over();
    };
    socket.on("data", take).on("close", over);
  });
}

function isOpen({ isClosed }: { readonly isClosed: boolean }): boolean {
  return !isClosed;
}
