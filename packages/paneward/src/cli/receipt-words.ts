import type { Delivery } from "@paneward/sdk";

/** What became of a delivery, by which way, and who says so. */
export function receiptWords({ state, way, reason }: Delivery): string {
  return [state, ...(way ? [ways[way]] : []), ...(reason === undefined ? [] : [`(${reason})`])].join(" ");
}

const ways = { http: "over HTTP", keys: "by keys" } as const;
