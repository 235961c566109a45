import { printable } from "../operations/answer.ts";

/** A browser's name as people know it. */
export function browserName(userAgent: string): string {
  const browser = known.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (!browser) return printable(userAgent.slice(0, 60), 60) || "a browser";
  return system ? `${browser} on ${system}` : browser;
}

const known = [
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/Chrom(e|ium)\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;

const systems = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Mac OS X/, "macOS"],
  [/Windows/, "Windows"],
  [/Linux/, "Linux"],
] as const;
