import { execFile } from "node:child_process";

/** Whether git says its version soon. Calls that ask at the same time share the answer. */
export function gitAnswers(env: Readonly<Record<string, string>>, limitMs = answerMs): Promise<boolean> {
  const path = env.PATH ?? "";
  const known = asked.get(path);
  if (known) return known;
  const answer = new Promise<boolean>((resolve) => {
    const options = { cwd: "/", env, timeout: limitMs, killSignal: "SIGKILL" } as const;
    execFile("git", ["--version"], options, (error) => resolve(!error?.killed));
  }).finally(() => asked.delete(path));
  asked.set(path, answer);
  return answer;
}

const asked = new Map<string, Promise<boolean>>();
const answerMs = 5_000;
