export { linkTransport } from "./link-transport.ts";
export { checkOwnSocket, ownFolder } from "./own-folder.ts";
export { keepOwnerRights } from "./owner-umask.ts";
export { checkSocketPath } from "./socket-path.ts";
export { unixTransport } from "./unix.ts";
