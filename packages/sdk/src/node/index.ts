export { unixTransport } from "./unix.ts";
