import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { setTimeout as delay } from "node:timers/promises";

/** A scripted agent without a model: prints progress, asks one question, commits a file and exits. */
async function playAgent(prompt: string): Promise<number> {
  say(`Task: ${prompt}`);
  for (const step of ["Reading the project", "Thinking about greetings", "Writing a first draft"]) {
    await delay(paceMs);
    say(`* ${step}`);
  }
  await delay(paceMs);
  const greeting = await ask();
  say(`* Writing ${file}: ${greeting}`);
  writeFileSync(file, `${greeting}, world!\n`);
  await delay(paceMs);
  execFileSync("git", ["add", file]);
  execFileSync("git", [...author, "commit", "--quiet", "--message", `Greet with "${greeting}"`]);
  say("Done. The greeting is committed on this task's branch.");
  return 0;
}

const file = "greeting.txt";
const paceMs = 300;
const author = ["-c", "user.name=Demo agent", "-c", "user.email=demo@localhost", "-c", "commit.gpgsign=false"] as const;
const greetings: Readonly<Record<string, string>> = { 1: "Hello", 2: "Good morning" };

async function ask(): Promise<string> {
  const input = createInterface({ input: process.stdin });
  try {
    say("Which greeting shall I use?");
    for (const [number, greeting] of Object.entries(greetings)) say(`  ${number}. ${greeting}`);
    process.stdout.write("Your choice? ");
    for await (const answer of input) {
      const greeting = greetings[answer.trim()];
      if (greeting !== undefined) return greeting;
      process.stdout.write(`Please answer with ${Object.keys(greetings).join(" or ")}. Your choice? `);
    }
  } finally {
    input.close();
  }
  throw new Error("stdin was closed before an answer came");
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

if (process.argv[1] === import.meta.filename) process.exitCode = await playAgent(process.argv.slice(2).join(" "));
