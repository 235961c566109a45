/** Tables with the words of the documentation, apart from what every client loads. */
export {
  type CapabilityActionName,
  capabilityActionNames,
  capabilityActions,
  hostParameter,
} from "./capability-actions.ts";
export { type ActionParameter, type CapabilityAction, callText, type ParametersOf } from "./capability-call.ts";
export { eventTable, eventTypes } from "./event-table.ts";
export { ruleKeys } from "./notify-config.ts";
export { agentStateMeanings, deliveryStateMeanings, statusMeanings } from "./state-meanings.ts";
