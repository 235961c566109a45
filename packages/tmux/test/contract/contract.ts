import { argumentsContract } from "./arguments.ts";
import { capturingContract } from "./capturing.ts";
import { errorsContract } from "./errors.ts";
import { eventsContract } from "./events.ts";
import { exitsContract } from "./exits.ts";
import type { PlaceOf } from "./fixture.ts";
import { healthContract } from "./health.ts";
import { inputContract } from "./input.ts";
import { journalsContract } from "./journals.ts";
import { listeningContract } from "./listening.ts";
import { managingContract } from "./managing.ts";
import { openingContract } from "./opening.ts";

const questions = {
  opening: openingContract,
  managing: managingContract,
  arguments: argumentsContract,
  input: inputContract,
  capturing: capturingContract,
  journals: journalsContract,
  exits: exitsContract,
  events: eventsContract,
  health: healthContract,
  listening: listeningContract,
  errors: errorsContract,
};

/** What the driver guarantees on any host, by any transport. */
export function contract(place: PlaceOf, asked = Object.keys(questions) as (keyof typeof questions)[]): void {
  for (const question of asked) questions[question](place);
}

/**
 * A process per command behind a prefix takes minutes: the short run covers only what depends on the transport; the
 * rest is covered for both transports and for the same prefix elsewhere.
 */
export function spawnedFarAway(place: PlaceOf): void {
  if (process.env.PANEWARD_SOAK === "1") contract(place);
  else contract(place, ["arguments", "errors"]);
}

/**
 * Every file and program in a container needs a slow process of its own. The short run leaves out what uses control
 * mode only: there a container behaves like the ssh host, which covers all of it.
 */
export function inContainer(place: PlaceOf): void {
  if (process.env.PANEWARD_SOAK === "1") contract(place);
  else contract(place, ["opening", "arguments", "journals", "exits", "listening", "errors"]);
}
