import type { ChannelConfig, ChannelKey } from "@paneward/sdk";
import { channelTable } from "@paneward/sdk/config";
import { unknownChannels } from "../../model/notify/rules.ts";
import { howToMakeOne, isSigningKey } from "../../model/notify/signing-key.ts";
import type { World } from "../world.ts";

/** What is wrong with the configuration of notices, and what its reading warned of. */
export async function allNotifyProblems(world: Pick<World, "configFor" | "machine">): Promise<readonly string[]> {
  const { warnings } = await world.configFor();
  return [...warnings.filter((warning) => /\bnotify\b/.test(warning)), ...(await notifyProblems(world))];
}

/** What is wrong with the channels and rules, besides what reading the configuration warns of. */
export async function notifyProblems({
  configFor,
  machine,
}: Pick<World, "configFor" | "machine">): Promise<readonly string[]> {
  const { config, files } = await configFor();
  const { channels, rules } = config.notify;
  const unknown = unknownChannels(config.notify).map(
    (name) => `a rule names the channel ${JSON.stringify(name)}, which is not configured`,
  );
  const isOpen = await Promise.all(files.map(async (file) => (((await machine.mode(file)) ?? 0) & 0o077) !== 0));
  const readable = files.filter((_, index) => isOpen[index]);
  const held = Object.entries(channels).flatMap(([name, channel]) => secretsIn(channel).map((key) => `${name}.${key}`));
  const shared = readable.flatMap((file) =>
    held.length === 0 ? [] : [`${file} holds secrets (${held.join(", ")}) and others can read it: chmod 600 ${file}`],
  );
  const unused = Object.keys(channels).length === 0 && rules.length > 0 ? ["there are rules, but no channel"] : [];
  const all = Object.entries(channels);
  const apart = await Promise.all([
    ...all.map(([name, channel]) => filesOf(name, channel, machine)),
    ...all.map(([name, channel]) => keyOf(name, channel, machine)),
    ...all.map(([name, channel]) => programsOf(name, channel, machine)),
    ...all.map(([name, channel]) => unreachableOf(name, channel, machine)),
  ]);
  return [...unknown, ...shared, ...apart.flat(), ...unused];
}

/** What is wrong with the files in which a channel's secrets are. */
async function filesOf(
  name: string,
  channel: ChannelConfig,
  machine: Pick<World["machine"], "mode">,
): Promise<readonly string[]> {
  const files = Object.entries(channel).filter(([key]) => key.endsWith("_file"));
  const problems = files.map(async ([key, path]) => {
    const mode = await machine.mode(String(path));
    if (mode === undefined) return [`${name}.${key}: ${path} is not there`];
    return (mode & 0o077) === 0 ? [] : [`${path} holds ${name}.${key} and others can read it: chmod 600 ${path}`];
  });
  return (await Promise.all(problems)).flat();
}

/** What is wrong with the key that signs what a webhook gets, where it can be read without running a program. */
async function keyOf(
  name: string,
  channel: ChannelConfig,
  machine: Pick<World["machine"], "text">,
): Promise<readonly string[]> {
  if (channel.kind !== "webhook") return [];
  const { secret, secret_file: file } = channel;
  const found = file === undefined ? secret : await machine.text(String(file));
  if (found === undefined || isSigningKey(String(found).trim())) return [];
  const place = file === undefined ? "" : ` in ${file}`;
  return [
    `${name}.secret: what is${place || " configured"} is no key, so nothing can be sent: make one with \`${howToMakeOne}\``,
  ];
}

/** What is wrong with the programs that a channel runs; those without a slash are looked for where the sender runs. */
async function programsOf(
  name: string,
  channel: ChannelConfig,
  machine: Pick<World["machine"], "mode">,
): Promise<readonly string[]> {
  const programs = Object.entries(channel).flatMap(([key, value]) =>
    (key === "command" || key.endsWith("_command")) && typeof value !== "string"
      ? [[key, value[0] ?? ""] as const]
      : [],
  );
  const problems = programs.map(async ([key, program]) => {
    if (!program.includes("/")) return [];
    const mode = await machine.mode(program);
    if (mode === undefined) return [`${name}.${key}: ${program} is not there`];
    return (mode & 0o111) === 0 ? [`${name}.${key}: ${program} may not be run: chmod +x ${program}`] : [];
  });
  return (await Promise.all(problems)).flat();
}

/** Whether a channel's service can be reached from here now. Nothing is sent to it. */
async function unreachableOf(
  name: string,
  { url, server }: ChannelConfig,
  machine: Pick<World["machine"], "unreachable">,
): Promise<readonly string[]> {
  const address = URL.parse(String(url ?? server ?? ""));
  const port = Number(address?.port || (address?.protocol === "http:" ? 80 : 443));
  const why = address ? await machine.unreachable(address.hostname, port) : undefined;
  return why === undefined ? [] : [`the channel ${name} cannot reach ${address?.hostname} (${why})`];
}

/** The keys of a channel's secrets that are in the configuration itself. */
function secretsIn(channel: ChannelConfig): readonly string[] {
  const keys: Readonly<Record<string, ChannelKey>> = channelTable[channel.kind].keys;
  return Object.keys(channel).filter((name) => keys[name]?.secret === true);
}

/** The same without the secrets, for showing it. */
export function withoutChannelSecrets(
  channels: Readonly<Record<string, ChannelConfig>>,
): Readonly<Record<string, ChannelConfig>> {
  return Object.fromEntries(
    Object.entries(channels).map(([name, channel]) => {
      const hidden = Object.fromEntries(secretsIn(channel).map((key) => [key, "(secret)"]));
      return [name, { ...channel, ...hidden }];
    }),
  );
}
