import { countsOf, rowsOf } from "@paneward/sdk/view";
import { view } from "../state/live.ts";
import { linkTo, route } from "../state/route.ts";
import { useValue } from "../state/value.ts";
import { Age } from "./Age.tsx";

const places = [
  { word: "", name: "Overview", sign: "▦" },
  { word: "team", name: "Team", sign: "☷" },
  { word: "events", name: "Events", sign: "≡" },
  { word: "hosts", name: "Hosts", sign: "⌂" },
  { word: "settings", name: "Settings", sign: "⚙" },
] as const;

export function Nav({ onHelp }: { readonly onHelp: () => void }) {
  const [here = ""] = useValue(route);
  const needMe = useValue(view, countNeedMe);
  const connection = useValue(view, ({ connection: now }) => now);
  return (
    <nav class="nav" aria-label="pages">
      <a href={linkTo()} class="brand">
        <img src="/icon.svg" alt="" width="24" height="24" />
        <span>Paneward</span>
      </a>
      <ul>
        {places.map(({ word, name, sign }) => (
          <li key={word}>
            <a href={linkTo(...(word === "" ? [] : [word]))} aria-current={here === word ? "page" : undefined}>
              <i aria-hidden="true">{sign}</i>
              <span>{name}</span>
              {word === "" && needMe > 0 && <b class="count">{needMe}</b>}
            </a>
          </li>
        ))}
      </ul>
      {connection.kind === "lost" && (
        <p class="badge" role="status" title={connection.reason}>
          reconnecting… <Age since={connection.since} />
        </p>
      )}
      <button type="button" class="help" onClick={onHelp} aria-label="Keys">
        ?
      </button>
    </nav>
  );
}

const countNeedMe = (shown: Parameters<typeof rowsOf>[0]) => countsOf(rowsOf(shown)).needMe;
