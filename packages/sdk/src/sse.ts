/** One message of an event stream. */
export interface ServerSentEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Reads `text/event-stream` in pieces of any size. */
export async function* parseServerSentEvents(chunks: AsyncIterable<string>): AsyncGenerator<ServerSentEvent> {
  let rest = "";
  for await (const chunk of chunks) {
    const messages = (rest + chunk).split("\n\n");
    rest = messages.pop() ?? "";
    for (const message of messages) {
      const event = parseMessage(message);
      if (event) yield event;
    }
  }
}

function parseMessage(message: string): ServerSentEvent | undefined {
  let id: string | undefined;
  let event = "message";
  const data: string[] = [];
  for (const line of message.split("\n")) {
    const [, field, value = ""] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (field === "id") id = value;
    else if (field === "event") event = value;
    else if (field === "data") data.push(value);
  }
  return data.length === 0 && event === "message" ? undefined : { id, event, data: data.join("\n") };
}
