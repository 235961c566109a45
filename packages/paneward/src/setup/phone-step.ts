import type { Step } from "./step.ts";

export interface Phones {
  /** The devices that are paired, and whether others can be: where the dashboard is opened from elsewhere. */
  readonly origins: readonly string[];
  /** Pairs one, with the person at the terminal. Returns its login. */
  pair(): Promise<string | undefined>;
  revoke(login: string): Promise<void>;
}

/** A phone that reads and answers. Only a person can pair one. */
export function phoneStep({ origins, pair, revoke }: Phones): Step {
  return {
    name: "phone",
    async look() {
      const [origin] = origins;
      if (origin === undefined) {
        const detail = "needs an https address of this machine first: docs/remote.md; then `paneward pair`";
        return { state: "not possible", detail };
      }
      return {
        state: "missing",
        offer: {
          why: "a phone reads what needs you, and answers",
          says: [
            `a device gets access at ${origin}, after you confirm its number here; \`paneward login list\` shows it`,
          ],
          edits: [],
          needsPerson: true,
          async make() {
            const login = await pair();
            return login === undefined ? undefined : { login };
          },
        },
      };
    },
    async back({ login }) {
      if (login === undefined) throw new Error("a phone has a login");
      return {
        kind: "restored",
        says: `login ${login}: revoked, that device is logged out`,
        perform: () => revoke(login),
      };
    },
  };
}
