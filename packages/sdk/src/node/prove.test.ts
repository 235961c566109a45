import assert from "node:assert/strict";
import { test } from "node:test";
import { readAnswer } from "./prove.ts";

const ok = "HTTP/1.1 200 OK\r\n";
const body = '{"key":"x"}';
const plain = `${ok}Content-Length: ${body.length}\r\n\r\n${body}`;
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n4\r\n{"ke\r\n7\r\ny":"x"}\r\n0\r\n\r\n`;

test("the proof is one whole response, with a length or in chunks, however it is cut", () => {
  for (const whole of [plain, chunked]) {
    assert.deepEqual(readAnswer(whole), { status: 200, body: { key: "x" } });
    for (let at = 0; at < whole.length; at++) assert.equal(readAnswer(whole.slice(0, at)), "not whole", `${at}`);
    const refused = whole.replace("200 OK", "403 Forbidden");
    assert.deepEqual(readAnswer(refused), { status: 403, body: { key: "x" } });
  }
});

test("whatever else comes is no proof", () => {
  for (const text of [
    `${plain}H`,
    `${chunked}H`,
    `${ok}\r\n${body}`,
    plain.replace("HTTP/1.1", "HTTP/1.0"),
    plain.replace("200", "2OO"),
    chunked.replace("transfer-encoding", "Content-Length: 3\r\ntransfer-encoding"),
    chunked.replace("\r\n4\r\n", "\r\n-4\r\n"),
    chunked.replace("\r\n4\r\n", "\r\n4;x=y\r\n"),
    chunked.replace("\r\n4\r\n", "\r\n3\r\n"),
    chunked.replace("\r\n0\r\n\r\n", "\r\n0\r\nX: y\r\n\r\n"),
    "\r\n\r\n",
  ]) {
    assert.equal(readAnswer(text), undefined, JSON.stringify(text));
  }
  assert.deepEqual(readAnswer(`${ok}content-length: 1\r\n\r\n{`), { status: 200, body: undefined });
});
