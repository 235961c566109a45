import { PanewardError } from "@paneward/sdk";
import { type Run, visibleText } from "../../model/runs.ts";
import type { Handlers } from "../calls.ts";
import { allRuns, digestOf, isTrusted, keyOf } from "../tasks/trust.ts";
import type { World } from "../world.ts";

/** Which repositories may run what their own files name. */
export function trustOperations(world: World) {
  return {
    trust_look: async ({ root: folder }) => {
      const repository = await world.worktrees.repository(folder);
      const runs = await allRuns(world, repository);
      const shown = runs.map((run) => ({
        what: visibleText(run.what),
        text: visibleText(run.text),
        trusted: isTrusted(world, repository, run),
      }));
      const trusted = shown.every((run) => run.trusted);
      return { root: repository.top, trusted, digest: digestOf(runs), runs: shown };
    },
    trust: async ({ root: folder, digest }, { who }) => {
      const repository = await world.worktrees.repository(folder);
      const runs = await allRuns(world, repository);
      if (digestOf(runs) !== digest) throw changed(repository.top);
      const { root } = repository;
      const key = keyOf(repository);
      world.store.write((writer) => {
        const before = world.store.trusted().find((one) => one.repository === key)?.runs ?? [];
        const kept = before.filter((old) => !runs.some((run) => run.what === old.what && run.digest === old.digest));
        const all = [...kept, ...runs.map(withoutText)].slice(-maxRuns);
        writer.putTrust({ repository: key, root, runs: all, by: who, at: world.clock.now() });
        writer.append("trust_changed", { root, trusted: true, by: who });
      });
      return { root, trusted: runs.length };
    },
    trust_list: async () => ({
      repositories: world.store.trusted().map(({ root, runs, by, at }) => ({
        root,
        trusted: [...new Set(runs.map(({ what }) => visibleText(what)))],
        by,
        at,
      })),
    }),
    trust_revoke: async ({ root }, { who }) => {
      const known = await knownAs(world, root);
      if (!known) throw notTrusted(root);
      world.store.write((writer) => {
        writer.removeTrust(known.repository);
        writer.append("trust_changed", { root: known.root, trusted: false, by: who });
      });
      return { revoked: known.root };
    },
  } satisfies Partial<Handlers>;
}

/** Versions of commands and files; the oldest are asked about again. */
const maxRuns = 500;

function withoutText({ what, digest }: Run) {
  return { what, digest };
}

/** By its root as it is listed, which may be gone, or by any folder in it. */
async function knownAs(world: World, root: string) {
  const trusted = world.store.trusted();
  const listed = trusted.find((one) => one.root === root);
  if (listed) return listed;
  const repository = await world.worktrees.repository(root).catch(() => undefined);
  return repository && trusted.find((one) => one.repository === keyOf(repository));
}

function changed(root: string): PanewardError {
  return new PanewardError("conflict", `what ${root} runs has changed since it was shown; nothing was trusted`, {
    hint: `\`paneward trust ${root}\` shows it again`,
  });
}

function notTrusted(root: string): PanewardError {
  return new PanewardError("not_found", `nothing of ${root} is trusted`, {
    hint: "`paneward trust --list` lists what is",
  });
}
