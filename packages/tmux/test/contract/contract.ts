import { argumentsContract } from "./arguments.ts";
import { capturingContract } from "./capturing.ts";
import { errorsContract } from "./errors.ts";
import { eventsContract } from "./events.ts";
import { exitsContract } from "./exits.ts";
import type { PlaceOf } from "./fixture.ts";
import { healthContract } from "./health.ts";
import { inputContract } from "./input.ts";
import { journalsContract } from "./journals.ts";
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
  errors: errorsContract,
};

/** What the driver promises, wherever the server is and however it is spoken to. */
export function contract(place: PlaceOf, asked = Object.keys(questions) as (keyof typeof questions)[]): void {
  for (const question of asked) questions[question](place);
}

/**
 * A process per command behind a prefix takes minutes: the short run asks only what depends on how a command travels,
 * because the rest was asked of both transports and of the same prefix already.
 */
export function spawnedFarAway(place: PlaceOf): void {
  if (process.env.PANEWARD_SOAK === "1") contract(place);
  else contract(place, ["arguments", "errors"]);
}

/**
 * Every file and program in a container is reached by a process that itself takes long. The short run leaves out what
 * travels through control mode alone: there a container is as far away as the ssh host, of which all of it is asked.
 */
export function inContainer(place: PlaceOf): void {
  if (process.env.PANEWARD_SOAK === "1") contract(place);
  else contract(place, ["opening", "arguments", "journals", "exits", "errors"]);
}
