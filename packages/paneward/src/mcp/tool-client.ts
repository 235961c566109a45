import {
  type CallOptions,
  type Client,
  inQuery,
  type OperationName,
  type Output,
  operationNames,
  type Parsed,
  routes,
} from "@paneward/sdk";

/** Every operation, for inputs that a tool has parsed: inside the daemon they are not parsed a second time. */
export type ToolClient = {
  readonly [Name in OperationName]: (input: Parsed<Name>, options?: CallOptions) => Promise<Output<Name>>;
} & Pick<Client, "follow">;

/** Calls an operation in this process. */
export type CallInside = <Name extends OperationName>(
  name: Name,
  input: Parsed<Name>,
  signal?: AbortSignal,
) => Promise<Output<Name>>;

/** Operations in this process. Events come as a stream, like for any other client. */
export function insideClient(call: CallInside, { follow }: Pick<Client, "follow">): ToolClient {
  const calls = operationNames.map((name) => [
    name,
    (input: Parsed<typeof name>, { signal }: CallOptions = {}) => call(name, input, signal),
  ]);
  return { ...Object.fromEntries(calls), follow } as ToolClient;
}

/** Operations over a connection. The daemon at the other end parses for itself, and takes flags as text. */
export function remoteClient(client: Client): ToolClient {
  const calls = operationNames.map((name) => [
    name,
    (input: object, options?: CallOptions) => client[name](wireInput(name, input) as never, options),
  ]);
  return { ...Object.fromEntries(calls), follow: client.follow } as ToolClient;
}

function wireInput(name: OperationName, input: object): object {
  if (!inQuery(routes[name])) return input;
  const fields = Object.entries(input);
  return Object.fromEntries(fields.map(([key, value]) => [key, typeof value === "boolean" ? String(value) : value]));
}
