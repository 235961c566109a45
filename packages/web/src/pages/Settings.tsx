import type { Output, Scope } from "@paneward/sdk";
import { ageOf } from "@paneward/sdk/text";
import { useState } from "preact/hooks";
import { client } from "../api/client.ts";
import { addPasskey, logOut } from "../api/session.ts";
import { showError } from "../state/notices.ts";
import { preferences } from "../state/preferences.ts";
import { scope, useMay } from "../state/session.ts";
import { isPushed, tellMe } from "../state/telling.ts";
import { useValue } from "../state/value.ts";
import { Act } from "../ui/Act.tsx";
import { Loaded, useAnswer } from "../ui/Loaded.tsx";

export function Settings() {
  const isAdmin = useMay("admin");
  const has = useValue(scope);
  const wanted = useValue(preferences);
  const pushed = useValue(isPushed);
  return (
    <main class="page">
      <h1>Settings</h1>
      <section>
        <h2>This browser</h2>
        <p>{has === undefined ? "…" : `It may ${scopeTexts[has]} (${has}).`}</p>
        <label class="choice">
          <input
            type="checkbox"
            checked={wanted.notify}
            onChange={() => void tellMe(!wanted.notify).catch(showError)}
          />
          Notify me when an agent needs me
        </label>
        {wanted.notify && (
          <p class="quiet">{pushed ? "Also while no page is open." : "While a page of the dashboard is open."}</p>
        )}
        <label class="choice">
          <input
            type="checkbox"
            checked={wanted.sound}
            onChange={() => preferences.set({ ...wanted, sound: !wanted.sound })}
          />
          With a sound
        </label>
        {location.protocol === "https:" && (
          <Act act={addPasskey} done="This device has one more passkey">
            Add a passkey
          </Act>
        )}
        <Act
          act={async () => {
            await logOut();
            location.reload();
          }}
        >
          Log out
        </Act>
      </section>
      {isAdmin && <Logins />}
      {isAdmin && <Tokens />}
    </main>
  );
}

const scopeTexts: Readonly<Record<Scope, string>> = {
  read: "read everything",
  send: "read everything, start, stop and type",
  approve: "read, type, and answer questions of agents",
  admin: "do everything",
};

function Logins() {
  const [again, setAgain] = useState(0);
  const found = useAnswer((signal) => client.login_list({}, { signal }), [again]);
  const revoke = (id: string) => client.login_revoke({ id }).then(() => setAgain(again + 1));
  const rename = async ({ id, name: before }: Key) => {
    const name = window.prompt("A name for this device", before)?.trim();
    if (!name || name === before) return;
    await client.login_rename({ id, name });
    setAgain(again + 1);
  };
  return (
    <section>
      <h2>Browsers that are logged in</h2>
      <Loaded of={found}>
        {({ logins }) => <Keys keys={logins} revoke={revoke} rename={rename} word="Log out" />}
      </Loaded>
      <p class="quiet">
        <code>paneward pair</code> lets a phone in.
      </p>
    </section>
  );
}

function Tokens() {
  const [again, setAgain] = useState(0);
  const found = useAnswer((signal) => client.token_list({}, { signal }), [again]);
  const revoke = (id: string) => client.token_revoke({ id }).then(() => setAgain(again + 1));
  return (
    <section>
      <h2>Tokens</h2>
      <Loaded of={found}>{({ tokens }) => <Keys keys={tokens} revoke={revoke} word="Revoke" />}</Loaded>
      <p class="quiet">
        <code>paneward token create --scope read</code> makes one.
      </p>
    </section>
  );
}

type Token = Output<"token_list">["tokens"][number];
type Login = Output<"login_list">["logins"][number];
type Key = Token & Partial<Pick<Login, "by" | "origin" | "passkeys" | "lastUsedFrom">>;

interface KeysProps {
  readonly keys: readonly Key[];
  readonly revoke: (id: string) => Promise<unknown>;
  readonly rename?: (key: Key) => Promise<unknown>;
  readonly word: string;
}

function Keys({ keys, revoke, rename, word }: KeysProps) {
  if (keys.length === 0) return <p class="quiet">None.</p>;
  return (
    <ul class="rows">
      {keys.map((key) => (
        <li key={key.id}>
          <strong>{key.name}</strong>
          <span class="receipt queued">{key.scope}</span>
          <span class="quiet">{`${key.id} · ${usageText(key)}`}</span>
          {rename && <Act act={() => rename(key)}>Rename</Act>}
          <Act kind="bad" confirm={`${word} ${key.name}?`} act={() => revoke(key.id)}>
            {word}
          </Act>
        </li>
      ))}
    </ul>
  );
}

function usageText({ createdAt, lastUsedAt, lastUsedFrom, origin, passkeys = 0 }: Key): string {
  const now = Date.now();
  const from = lastUsedFrom === undefined ? "" : ` from ${lastUsedFrom}`;
  const used = lastUsedAt === undefined ? "never used" : `used ${ageOf(lastUsedAt, now)} ago${from}`;
  const secured = passkeys === 0 ? [] : [passkeys === 1 ? "one passkey" : `${passkeys} passkeys`];
  return [
    `made ${ageOf(createdAt, now)} ago, ${used}`,
    ...(origin?.startsWith("https:") ? [`at ${origin}`] : []),
    ...secured,
  ].join(" · ");
}
