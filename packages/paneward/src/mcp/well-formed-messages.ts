import type { JSONRPCMessage, McpServer } from "@modelcontextprotocol/server";
import { wellFormed } from "@paneward/sdk";

/** No message holds half of a surrogate pair, whatever of a caller's words the library repeats; an id stays as it was given. */
export function sendWellFormed({ server }: McpServer): void {
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(repaired(message), options);
    return connect(transport);
  };
}

function repaired(message: JSONRPCMessage): JSONRPCMessage {
  const sound = wellFormed(message);
  return "id" in message && message.id !== undefined ? { ...sound, id: message.id } : sound;
}

/** The same for a refusal that the library answers before any server sees the request. */
export async function soundRefusal(response: Response): Promise<Response> {
  if (response.ok || !response.headers.get("content-type")?.startsWith("application/json")) return response;
  return new Response(JSON.stringify(wellFormed(await response.json())), response);
}
