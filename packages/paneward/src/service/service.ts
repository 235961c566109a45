/** Everything about the service, apart from asking and printing. */
export { installedKind, otherVersion } from "./installed.ts";
export {
  type ServiceSetting,
  type ServiceStanding,
  serviceManagerHere,
  serviceStanding,
  tmuxServer,
} from "./standing.ts";
export { startByService } from "./start.ts";
