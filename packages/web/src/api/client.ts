import { createClient } from "@paneward/sdk";
import { pageTransport } from "./transport.ts";

export const client = createClient(pageTransport());
