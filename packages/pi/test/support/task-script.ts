import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** The helper of an installed package as a bash command line. */
export function taskScript(installed: string, name: string, command: string): string {
  const script = join(installed, "skills/tmux-task-manager/tmux-task-run.sh");
  return `${script} ${name} -- '${command.replaceAll("'", "'\\''")}'`;
}

/** A command that runs until the test lets it end. */
export function waitingFor(home: { readonly folder: string }, name: string, code = 0): string {
  return `while [ ! -e ${join(home.folder, name)} ]; do sleep 0.05; done; exit ${code}`;
}

waitingFor.go = (home: { readonly folder: string }, name: string): void => {
  writeFileSync(join(home.folder, name), "");
};
