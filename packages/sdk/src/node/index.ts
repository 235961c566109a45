export { linkTransport } from "./link-transport.ts";
export { checkOwnSocket, checkSocketPath, makeFolders, ownFolder, ownFolders } from "./own-folder.ts";
export { keepOwnerRights } from "./owner-umask.ts";
export { unixTransport } from "./unix.ts";
