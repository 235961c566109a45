import assert from "node:assert/strict";
import { test } from "node:test";
import { folderProblem, ownFolders, socketProblem } from "./own-folder.ts";

const me = 1000;
const other = 1001;
const home = { path: "/home/me", uid: me, mode: 0o755 };

test("a folder is used if only its owner can change what is in it", () => {
  const cases = [
    [[{ path: "/home/me/run", uid: me, mode: 0o700 }, home], undefined],
    [
      [
        { path: "/home/me/run", uid: me, mode: 0o755 },
        { ...home, mode: 0o775 },
      ],
      undefined,
    ],
    [
      [
        { path: "/tmp/me", uid: me, mode: 0o700 },
        { path: "/tmp", uid: 0, mode: 0o1777 },
      ],
      undefined,
    ],
    [[{ path: "/tmp", uid: 0, mode: 0o1777 }], /\/tmp belongs to another user/],
    [[{ path: "/tmp/me", uid: other, mode: 0o700 }], /belongs to another user/],
    [[{ path: "/x", uid: me, mode: 0o1777 }], /\/x is shared .*1777/],
    [[{ path: "/x", uid: me, mode: 0o770 }], /shared .*770/],
    [
      [
        { path: "/open/me", uid: me, mode: 0o700 },
        { path: "/open", uid: 0, mode: 0o777 },
      ],
      /\/open, .*can replace it/,
    ],
  ] as const;
  for (const [chain, expected] of cases) {
    const problem = folderProblem(chain, me);
    if (expected === undefined) assert.equal(problem, undefined);
    else assert.match(problem ?? "", expected);
  }
});

test("a socket is trusted if its owner is the user or root, and nobody else can replace it", () => {
  const mine = { uid: me, mode: 0o600 };
  const cases = [
    [mine, { uid: me, mode: 0o700 }, undefined],
    [mine, { uid: 0, mode: 0o1777 }, undefined],
    [{ uid: 0, mode: 0o600 }, { uid: 0, mode: 0o755 }, undefined],
    [{ uid: other, mode: 0o666 }, { uid: me, mode: 0o700 }, /socket \/s belongs/],
    [mine, { uid: other, mode: 0o755 }, /folder of the socket \/s belongs/],
    [mine, { uid: me, mode: 0o777 }, /can replace the socket/],
  ] as const;
  for (const [socket, folder, expected] of cases) {
    const problem = socketProblem("/s", socket, folder, me);
    if (expected === undefined) assert.equal(problem, undefined);
    else assert.match(problem ?? "", expected);
  }
});

test("where several folders cannot be made, one hint names what to set for each of them", () => {
  // A name that is too long is refused to root too, as a read-only file system refuses every name.
  const folder = import.meta.dirname;
  const wanted = ["SOCKET", "TMUX", "HOME"].map((name) => [`${folder}/${name.repeat(100)}`, `set ${name}`] as const);
  const says = { code: "unavailable", hint: `make ${folder} writable, or set SOCKET, and set TMUX, and set HOME` };
  assert.throws(() => ownFolders(wanted), says);
  const last = { message: / cannot be made in .*: /, hint: `make ${folder} writable, or set HOME` };
  assert.throws(() => ownFolders(wanted.slice(2)), last);
});

test("a file in the way of a folder is named once, at its place and above it", () => {
  const file = import.meta.filename;
  const hint = `move ${file} away, or set HOME`;
  for (const folder of [file, `${file}/state`]) {
    const message = `the folder ${folder} cannot be made: ${folder === file ? "a file is in its place" : `${file} is a file`}`;
    assert.throws(() => ownFolders([[folder, "set HOME"]]), { message, hint });
  }
});

test("a folder that cannot be made below /proc is an error, instead of a process that never ends", () => {
  const says = { code: "unavailable", message: /^the folder \/proc\/x\/state cannot be made in \/proc: / };
  assert.throws(() => ownFolders([["/proc/x/state", "set HOME"]]), says);
});
