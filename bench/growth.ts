import { readPrompt } from "@paneward/sdk/prompt";
import { findTags } from "../packages/paneward/src/capability/tags.ts";
import { plainText } from "../packages/paneward/test/support/plain-text.ts";
import { interleaved, median } from "./measure.ts";
import { atMost, joined, type Result } from "./result.ts";

interface Grown {
  readonly question: string;
  /** Reads an input of the given size. */
  readonly read: (amount: number) => () => void;
  readonly little: readonly [amount: number, words: string];
  readonly much: readonly [amount: number, words: string];
}

const megabyte = 1_000_000;
// Texts that rules of the prompt reader could start with.
const beginnings = [
  "a",
  " ",
  "(",
  "[y/",
  "y/n,",
  "? ",
  "> ",
  "press enter ",
  "password for ",
  "1) a  ",
  "❯ ",
  "│ ",
  "\t",
];

const questions: readonly Grown[] = [
  {
    question: "look for a prompt on lines of",
    read: (length) => {
      const screens = beginnings.map((unit) => [unit.repeat(length / unit.length), ""]);
      const cursors = [undefined, { row: 0, column: 80 }, { row: 1, column: 0 }];
      return () => {
        for (const screen of screens) for (const cursor of cursors) readPrompt(screen, cursor);
      };
    },
    little: [megabyte / 10, "100 KB"],
    much: [megabyte, "1 MB"],
  },
  {
    question: "read one line, overwritten again and again, of",
    read: (length) => {
      const bytes = new TextEncoder().encode("word 漢字\b \r".repeat(length / 15));
      return () => void plainText(bytes, { columns: 80, rows: 24 });
    },
    little: [megabyte, "1 MB"],
    much: [8 * megabyte, "8 MB"],
  },
  {
    question: "find calls among unclosed tags, in",
    read: (count) => {
      const text = "<capability ".repeat(count);
      return () => void findTags(text);
    },
    little: [2_000, "2,000"],
    much: [20_000, "20,000"],
  },
];

/** Ten times the input must take about ten times as long: no reader may be quadratic. */
export async function growth(): Promise<Result> {
  const results: Result[] = [];
  for (const question of questions) results.push(await grown(question));
  return joined(results);
}

async function grown({ question, read, little, much }: Grown): Promise<Result> {
  const [small, large] = [read(little[0]), read(much[0])];
  for (let round = 0; round < 3; round++) for (const work of [small, large]) work();
  const samples = await interleaved(5, { small: async () => [took(small)], large: async () => [took(large)] });
  const [one, many] = [median(samples.small), median(samples.large)];
  const factor = much[0] / little[0];
  return {
    rows: [
      { question: `${question} ${little[1]}`, unit: "ms", ours: one },
      { question: `${question} ${much[1]}`, unit: "ms", ours: many, note: `${factor} times as much` },
    ],
    targets: [atMost(`${question} ${much[1]} against ${little[1]}`, many / one, 2 * factor, "x")],
  };
}

function took(work: () => void): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}
