import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type AttachmentType, attachmentName, attachmentType } from "./attachment.ts";

const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

describe("an attached file", () => {
  const types: readonly (readonly [string, Uint8Array, AttachmentType | undefined])[] = [
    ["a PNG", bytes("\x89PNG\r\n\x1a\n...."), "png"],
    ["a JPEG", bytes("\xff\xd8\xff\xe0...."), "jpg"],
    ["a GIF", bytes("GIF89a......"), "gif"],
    ["a WebP", bytes("RIFF\x00\x00\x00\x00WEBPVP8 "), "webp"],
    ["a PDF", bytes("%PDF-1.7\n"), "pdf"],
    ["text", new TextEncoder().encode("Größe: 3\n\ttabs\r\n"), "text"],
    ["coloured text", bytes("\x1b[31mred\x1b[0m"), "text"],
    ["an SVG", bytes("<svg xmlns='http://www.w3.org/2000/svg'/>"), "text"],
    ["nothing", bytes(""), undefined],
    ["a program", bytes("\x7fELF\x02\x01\x01\x00"), undefined],
    ["an archive", bytes("PK\x03\x04...."), undefined],
    ["half a character", Uint8Array.of(0x61, 0xc3), undefined],
    ["text with a zero byte", bytes("a\0b"), undefined],
    ["half of what begins a PNG", bytes("\x89PNG"), undefined],
  ];
  for (const [what, content, type] of types) {
    test(`with ${what} is ${type ?? "refused"}`, () => assert.equal(attachmentType(content), type));
  }

  const names: readonly (readonly [string, AttachmentType, readonly string[], string])[] = [
    ["IMG 0042.JPEG", "jpg", [], "1-IMG-0042.jpg"],
    ["notes.md", "text", ["1-a.txt", "7-b.png", "x"], "8-notes.md"],
    ["../../.ssh/authorized_keys", "text", [], "1-authorized_keys.txt"],
    ["C:\\Users\\me\\shot.png", "png", [], "1-shot.png"],
    [".bashrc", "text", [], "1-file.bashrc"],
    ["-rf.txt", "text", [], "1-rf.txt"],
    ["photo.png", "text", [], "1-photo.txt"],
    ["Überblick größer.pdf", "pdf", [], "1-Uberblick-gro-er.pdf"],
    ["", "gif", [], "1-file.gif"],
    ["a".repeat(300), "text", [], `1-${"a".repeat(60)}.txt`],
  ];
  for (const [given, type, taken, name] of names) {
    test(`called ${JSON.stringify(given.slice(0, 40))} becomes ${name.slice(0, 40)}`, () =>
      assert.equal(attachmentName(given, type, taken), name));
  }
});
