/** Tables with the words of the documentation, apart from what every client loads. */
export { eventTable, eventTypes } from "./event-table.ts";
export { agentStateMeanings, deliveryStateMeanings, statusMeanings } from "./state-meanings.ts";
