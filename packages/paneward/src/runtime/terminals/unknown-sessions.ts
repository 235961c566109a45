import { freeName, parseSessionName } from "@paneward/sdk";
import type { TerminalRecord } from "../../model/records.ts";
import { agentKind } from "../agent-kind.ts";
import type { FoundPane, FoundProgram } from "../ports.ts";
import type { BookDeps, TerminalBook } from "./terminal-book.ts";

/**
 * Sessions of ours that no record knows, as after losing the database. A program that runs is never ended for that: it
 * becomes a terminal again. Returns how many did. A session in which nothing runs is closed.
 */
export async function adoptUnknown(
  deps: BookDeps,
  book: TerminalBook,
  host: string,
  found: readonly FoundPane[],
): Promise<number> {
  const known = new Set(deps.store.terminals().map(({ session }) => session));
  // A session whose name is not one of ours is a workspace, or belongs to another program.
  const unknown = found.filter(({ sessionName: name }) => parseSessionName(name) && !known.has(name));
  let adopted = 0;
  for (const [session, panes] of Map.groupBy(unknown, ({ sessionName }) => sessionName)) {
    const running = panes.find(({ end }) => end === undefined);
    try {
      if (!running) await deps.terminals.close(host, session);
      else if (await adopt(deps, book, host, running)) adopted += 1;
    } catch (error) {
      deps.log.error("an unknown session could not be taken over", { host, session, error: String(error) });
    }
  }
  return adopted;
}

async function adopt(deps: BookDeps, book: TerminalBook, host: string, pane: FoundPane): Promise<boolean> {
  const { store, terminals, agents, log } = deps;
  const program = await terminals.find(host, pane.place.pane);
  if (!program) return false;
  const id = await idOf(deps, host, pane.sessionName);
  const record = putRecord(deps, host, program, id);
  log.warn("a program without a record was taken over", { terminal: record.id, session: record.session });
  // Without any output in it, the journal was lost too: the pane still prints into a file that has no name.
  const end = await terminals.cursorBeforeEnd(host, record.journal, 0);
  if (!end) await terminals.reopenJournal(program.place, host, record.journal);
  book.found(record, program.place);
  await terminals.follow(program.place, host, record.journal);
  const kind = agentKind(store, record);
  if (kind !== undefined) agents.began(record, kind, false);
  return true;
}

/** The id that the terminal had: its session's name has it, or its programs know it. */
async function idOf({ store, terminals }: BookDeps, host: string, session: string): Promise<string | undefined> {
  const parsed = parseSessionName(session);
  const id =
    parsed && "terminal" in parsed
      ? parsed.terminal
      : await terminals.sessionVariable(host, session, "PANEWARD_TERMINAL");
  return id !== undefined && /^t[1-9]\d{0,8}$/.test(id) && !store.terminal(id) ? id : undefined;
}

function putRecord(deps: BookDeps, host: string, program: FoundProgram, known: string | undefined): TerminalRecord {
  const { store, clock, places } = deps;
  const { place, session, columns, rows, cwd, command } = program;
  return store.keep((writer) => {
    if (known !== undefined) writer.reserve("terminal", Number(known.slice(1)));
    const id = known ?? writer.nextTerminalId();
    const taken = new Set(store.terminals().map(({ name }) => name));
    const now = clock.now();
    const name = freeName(nameIn(session), (one) => taken.has(one));
    const record: TerminalRecord = {
      ...{ id, name, host, argv: [command], cwd, env: {}, keep: true, columns, rows, session },
      ...{ journal: `${places.journals}/${id}`, found: true, phase: "running", place, createdAt: now, startedAt: now },
    };
    writer.putTerminal(record);
    writer.append("terminal_opened", { terminal: id, name, argv: record.argv, cwd, restarted: false });
    return record;
  });
}

/** The `build` of `paneward-t6-build`, the `fix` of `paneward-7-fix`. */
function nameIn(session: string): string {
  return /^paneward-t?\d+-(.+)$/.exec(session)?.[1] ?? "found";
}
