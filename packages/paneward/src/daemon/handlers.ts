import { createCapability } from "../capability/capability.ts";
import { keyedMutex } from "../model/keyed-mutex.ts";
import type { Logins } from "../runtime/access/logins.ts";
import type { Pairings } from "../runtime/access/pairings.ts";
import type { InterruptDeps } from "../runtime/answering/interrupt.ts";
import type { AnsweringDeps } from "../runtime/answering/record-answer.ts";
import { activityOperations } from "../runtime/operations/activity-operations.ts";
import { type AgentDeps, agentOperations } from "../runtime/operations/agent-operations.ts";
import { answerOperations } from "../runtime/operations/answer-operations.ts";
import { attachmentOperations } from "../runtime/operations/attachment-operations.ts";
import { daemonOperations } from "../runtime/operations/daemon-operations.ts";
import { lasting } from "../runtime/operations/lasting.ts";
import { type ListDeps, listOperations } from "../runtime/operations/list-operations.ts";
import { loginOperations } from "../runtime/operations/login-operations.ts";
import { type NotifyDeps, notifyOperations } from "../runtime/operations/notify-operations.ts";
import { pairingOperations } from "../runtime/operations/pairing-operations.ts";
import { pushOperations } from "../runtime/operations/push-operations.ts";
import { restoreOperations } from "../runtime/operations/restore-operations.ts";
import { withStateFolder } from "../runtime/operations/state-folder.ts";
import { type TaskOperationDeps, taskOperations } from "../runtime/operations/task-operations.ts";
import { type TerminalDeps, terminalOperations } from "../runtime/operations/terminal-operations.ts";
import { bridgeOperations, TmuxBridge } from "../runtime/operations/tmux-bridge.ts";
import { tokenOperations } from "../runtime/operations/token-operations.ts";
import { trustOperations } from "../runtime/operations/trust-operations.ts";
import type { OutputCounts } from "../runtime/output/output-counts.ts";
import type { Workspaces } from "../runtime/ports.ts";
import { ComeBack } from "../runtime/tasks/come-back.ts";
import { finishRemovals } from "../runtime/tasks/undo.ts";
import { createTeam } from "../runtime/team/team.ts";
import type { World } from "../runtime/world.ts";

type HandlerDeps = ListDeps & TerminalDeps & TaskOperationDeps & AgentDeps & AnsweringDeps & InterruptDeps & NotifyDeps;

/** A handler for every row of the operation table. */
export function createHandlers(
  world: World,
  services: Omit<HandlerDeps, keyof World | "lock" | "workspaces"> & { readonly counts: OutputCounts },
  { logins, pairings }: { readonly logins: Logins; readonly pairings: Pairings },
  workspaces: Workspaces,
) {
  // Terminals and tasks share one lock: a task's work and its terminal's take turns.
  const deps = { ...world, ...services, workspaces, lock: keyedMutex() };
  const comeBack = new ComeBack(deps);
  const own = lasting(world.store, {
    ...daemonOperations(deps),
    ...listOperations(deps),
    ...terminalOperations(deps),
    ...taskOperations(deps),
    ...restoreOperations({ ...deps, comeBack }),
    ...attachmentOperations(deps),
    ...trustOperations(world),
    ...tokenOperations(world),
    ...loginOperations(world, logins),
    ...pushOperations(world, logins),
    ...pairingOperations(world, pairings),
    ...activityOperations(world, services.counts),
    ...agentOperations(deps),
    ...answerOperations(deps),
    ...notifyOperations(deps),
  });
  const { supervisor, attention, typist } = services;
  const team = createTeam(world, attention, {
    adopt: (...args) => supervisor.adopt(...args),
    send: own.send,
    respond: own.respond,
    stop: own.stop,
  });
  const bridge = new TmuxBridge({ ...deps, send: own.send });
  const all = {
    ...own,
    ...bridgeOperations(bridge),
    ...createCapability({ world, workspaces, typist }),
    ...team.operations,
  };
  return {
    ...{ team, bridge, comeBack },
    handlers: withStateFolder(world, all),
    finishRemovals: () => finishRemovals(deps, deps.lock),
  };
}
