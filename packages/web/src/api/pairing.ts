import { PanewardError } from "@paneward/sdk";
import { makeBrowserKey } from "@paneward/sdk/identity";
import { post, proofOf, startOver } from "./session.ts";

/** How a device asks to be paired: by the link of a QR code, or by the code that a person typed. */
export type PairHow = { readonly link: string } | { readonly code: string };

export interface Asking {
  /** What the person types at the terminal. */
  readonly number: string;
  /** Resolves when the person did: how to make the passkey, or nothing if none is needed and the device is paired. */
  confirmed(): Promise<(() => Promise<void>) | undefined>;
}

export async function askToPair(how: PairHow): Promise<Asking> {
  const link = "link" in how ? /^([\w-]{22})_([0-9a-f]{32})$/.exec(how.link) : undefined;
  if (link === null) throw new PanewardError("unauthorized", "this link is not complete", { hint: "scan it again" });
  // Known by the link; who typed the code trusts the address.
  if (link) await proofOf(link[2] ?? "");
  const { privateKey, publicKey } = await makeBrowserKey();
  const secret = link ? { link: link[1] } : how;
  const asked = (await post("/pair", { ...secret, key: publicKey })) as Asked;
  const { ticket, number, server } = asked;
  if (!link) await proofOf(server);
  const header = { "x-paneward-ticket": ticket };
  const keep = ({ login }: { readonly login: string }) => startOver({ login, privateKey, server });
  return {
    number,
    async confirmed() {
      const found = await decided(header);
      if (found.state === "paired") {
        await keep(found);
        return undefined;
      }
      return async () => {
        const { makePasskey } = await import("./passkey.ts");
        const response = await makePasskey(found.options);
        await keep((await post("/pair/passkey", { response }, header)) as { login: string });
      };
    },
  };
}

interface Asked {
  readonly ticket: string;
  readonly number: string;
  readonly server: string;
}

type Decided =
  | { readonly state: "paired"; readonly login: string }
  | { readonly state: "confirmed"; readonly options: object };

type Waited = Decided | { readonly state: "asked" } | { readonly state: "over"; readonly why: string };

/** What the person at the terminal decided. A phone loses its connection now and then. */
async function decided(header: Readonly<Record<string, string>>): Promise<Decided> {
  for (;;) {
    const found = (await post("/pair/wait", {}, header).catch(async (error: PanewardError) => {
      if (error.code !== "unavailable") throw error;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return { state: "asked" };
    })) as Waited;
    if (found.state === "over") {
      throw new PanewardError("unauthorized", `this device was not paired: ${found.why}`, {
        hint: "begin again: `paneward pair`",
      });
    }
    if (found.state !== "asked") return found;
  }
}
