import type { EventData, EventType } from "../events.ts";
import type { View } from "./view.ts";

export type Handler<Type extends EventType> = (view: View, data: EventData[Type], at: number) => View;
export type Handlers<Type extends EventType> = { readonly [One in Type]: Handler<One> };

/** For events that do not change the view. */
export const noChange = (view: View): View => view;
