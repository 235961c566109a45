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

/** What the driver promises, wherever the server is and however it is spoken to. */
export function contract(place: PlaceOf): void {
  openingContract(place);
  managingContract(place);
  argumentsContract(place);
  inputContract(place);
  capturingContract(place);
  journalsContract(place);
  exitsContract(place);
  eventsContract(place);
  healthContract(place);
  errorsContract(place);
}
