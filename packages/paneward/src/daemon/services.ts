import { type Config, ownValue } from "@paneward/sdk";
import type { ShownQuestion } from "../agents/agent.ts";
import type { PanePlace } from "../model/records.ts";
import { AgentBook } from "../runtime/agents/agent-book.ts";
import { Availability } from "../runtime/agents/availability.ts";
import { HookAnswers } from "../runtime/answering/hook-answers.ts";
import { Attention } from "../runtime/attention/attention.ts";
import { Courier } from "../runtime/courier/courier.ts";
import { Prompts } from "../runtime/courier/prompts.ts";
import { Typist } from "../runtime/courier/typist.ts";
import { Presence } from "../runtime/notify/presence.ts";
import { OutputCounts } from "../runtime/output/output-counts.ts";
import { PlaceIndex } from "../runtime/places.ts";
import type { PaneInput } from "../runtime/ports.ts";
import { QuestionBook } from "../runtime/questions/question-book.ts";
import { WorkAmounts } from "../runtime/tasks/work-amounts.ts";
import { Adopted } from "../runtime/terminals/adopted.ts";
import { Supervisor } from "../runtime/terminals/supervisor.ts";
import { AgentServers } from "../runtime/witnesses/agent-servers.ts";
import { HookRequests } from "../runtime/witnesses/hook-requests.ts";
import type { World } from "../runtime/world.ts";
import { createAgentHttp } from "../system/agent-http.ts";

/** The services of one daemon, each built with just what it uses. Nothing has begun yet. */
export function createServices(world: World, config: Config, input: PaneInput) {
  const { clock, log, store, terminals, machine } = world;
  const agents = new AgentBook({ clock, store });
  const questions = new QuestionBook({ clock, store });
  const prompts = new Prompts(clock);
  const typist = new Typist(input, clock);
  const attention = new Attention({
    ...{ clock, log, terminals },
    cpuTime: (host, pid) => (ownValue(config.hosts, host) ? undefined : machine.cpuTime(pid)),
    stuckAfterMs: Math.max(1, config.attention.stuck_seconds) * 1_000,
  });
  const hookAnswers = new HookAnswers<ShownQuestion>();
  const requests = new HookRequests({ clock, attention, questions, waiting: hookAnswers });
  const terminalPlaces = new PlaceIndex();
  const terminalAt = (place: PanePlace) => terminalPlaces.terminalAt(place);
  const supervisor = new Supervisor({ ...world, attention, questions, agents, terminalPlaces });
  const servers = new AgentServers({ clock, log, store, attention, agents, prompts, http: createAgentHttp() });
  const courier = new Courier({ ...world, attention, questions, agents, prompts, typist, servers });
  return {
    ...{ agents, questions, prompts, attention, terminalPlaces, supervisor, courier, typist },
    receipts: courier.receipts,
    availability: new Availability({ store, clock, terminals, agents }),
    hookAnswers,
    requests,
    presence: new Presence(clock),
    servers,
    terminalAt,
    counts: new OutputCounts({ clock, terminals, terminalAt }),
    amounts: new WorkAmounts(world),
    adopted: new Adopted({ ...world, attention, agents, supervisor }),
  };
}
