import type { ServicePlan } from "./plan.ts";
import type { Written } from "./unit.ts";

export const agentLabel = "paneward";

/** The job of launchd, which ends the whole process group with the daemon unless it is set to abandon it. */
export function launchAgentText({ argv, env, home, socket, log, version }: ServicePlan): string {
  const entries: Readonly<Record<string, Value>> = {
    Label: agentLabel,
    ProgramArguments: argv,
    EnvironmentVariables: { ...env, ...ownVariables({ version, program: argv.join(" "), home, socket }) },
    WorkingDirectory: "/",
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    AbandonProcessGroup: true,
    StandardOutPath: log,
    StandardErrorPath: log,
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    xml(entries, ""),
    "</plist>",
    "",
  ].join("\n");
}

export function readLaunchAgent(text: string): Written | undefined {
  const value = (name: keyof Written) => {
    const found = new RegExp(`<key>${variables[name]}</key>\\s*<string>([^<]*)</string>`).exec(text)?.[1];
    return found === undefined ? undefined : plain(found);
  };
  const [version, program, home, socket] = (["version", "program", "home", "socket"] as const).map(value);
  if (version === undefined || program === undefined || home === undefined || socket === undefined) return undefined;
  return { version, program, home, socket };
}

/** The job apart from variables and version, as for the unit. */
export function launchAgentWithoutVariables(text: string): string {
  const rest = text.replace(/<key>EnvironmentVariables<\/key>\s*<dict>[\s\S]*?<\/dict>/, "");
  return `${rest}${JSON.stringify({ ...readLaunchAgent(text), version: "" })}`;
}

type Value = string | true | false | readonly string[] | { readonly [name: string]: Value };

// launchd warns about keys that it does not know; variables may have any name.
const variables: Readonly<Record<keyof Written, string>> = {
  version: "PANEWARD_SERVICE_VERSION",
  program: "PANEWARD_SERVICE_PROGRAM",
  home: "PANEWARD_SERVICE_HOME",
  socket: "PANEWARD_SERVICE_SOCKET",
};

function ownVariables(written: Written): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(variables).map(([name, key]) => [key, written[name as keyof Written]]));
}

function xml(value: Value, indent: string): string {
  const inner = `${indent}  `;
  if (typeof value === "string") return `${indent}<string>${escaped(value)}</string>`;
  if (typeof value === "boolean") return `${indent}<${value}/>`;
  if (Array.isArray(value))
    return [`${indent}<array>`, ...value.map((one) => xml(one, inner)), `${indent}</array>`].join("\n");
  const rows = Object.entries(value).flatMap(([name, one]) => [`${inner}<key>${escaped(name)}</key>`, xml(one, inner)]);
  return [`${indent}<dict>`, ...rows, `${indent}</dict>`].join("\n");
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const plain = (text: string) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
