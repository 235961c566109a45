export { linkTransport } from "./link-transport.ts";
export { unixTransport } from "./unix.ts";
