import { createECDH } from "node:crypto";
import { startSink } from "../../notify/support/sink.ts";
import type { Cleanup } from "../../support/folder.ts";

/** A channel of the daemon that is attacked: what it is told holds the capabilities of real buttons. */
export interface FuzzNotices {
  readonly config: string;
  /** The newest capabilities, of which most are used up. */
  readonly taps: () => readonly string[];
  /** What a browser of a push service that nothing answers for would send. */
  readonly subscription: { readonly endpoint: string; readonly p256dh: string; readonly auth: string };
}

export const channelName = "sink";

export async function fuzzNotices(t: Cleanup): Promise<FuzzNotices> {
  const kept: string[] = [];
  const sink = await startSink(t, ({ text }, response) => {
    for (const [, tap = ""] of text.matchAll(/"tap":"([\w-]+)"/g)) kept.push(tap);
    kept.splice(0, kept.length - most);
    sink.received.length = 0;
    response.writeHead(204).end();
  });
  // Nothing listens there.
  const nobody = "127.0.0.1:1";
  return {
    config: `[notify]
dwell_seconds = 0
cooldown_seconds = 0
[notify.channels.${channelName}]
kind = "webhook"
text = "full"
url = "${sink.url}/in"
[notify.channels.pages]
kind = "web_push"
hosts = ["${nobody}"]
`,
    taps: () => kept,
    subscription: {
      endpoint: `https://${nobody}/push`,
      p256dh: createECDH("prime256v1").generateKeys().toString("base64url"),
      auth: Buffer.alloc(16, 7).toString("base64url"),
    },
  };
}

const most = 50;
