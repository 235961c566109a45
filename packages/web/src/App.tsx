import { useEffect, useMemo, useState } from "preact/hooks";
import { isLocked } from "./api/session.ts";
import { Detail } from "./pages/Detail.tsx";
import { Events } from "./pages/Events.tsx";
import { Hosts } from "./pages/Hosts.tsx";
import { Login } from "./pages/Login.tsx";
import { NewTask } from "./pages/NewTask.tsx";
import { NoSuchPage } from "./pages/NoSuchPage.tsx";
import { Overview } from "./pages/Overview.tsx";
import { Pair } from "./pages/Pair.tsx";
import { Settings } from "./pages/Settings.tsx";
import { Team } from "./pages/Team.tsx";
import { Thread } from "./pages/Thread.tsx";
import { Unlock } from "./pages/Unlock.tsx";
import { followActivity } from "./state/activity.ts";
import { watchAttention } from "./state/attention.ts";
import { accessError, live, view } from "./state/live.ts";
import { reportPresence, seenOnRoute } from "./state/presence.ts";
import { route } from "./state/route.ts";
import { askWhoIAm } from "./state/session.ts";
import { renewAddress } from "./state/telling.ts";
import { followTimelines } from "./state/timelines.ts";
import { useValue } from "./state/value.ts";
import { followWaitingAnswers } from "./state/waiting-answers.ts";
import { Boundary } from "./ui/Boundary.tsx";
import { Help } from "./ui/Help.tsx";
import { listenToKeys, shortcuts } from "./ui/keys.ts";
import { Nav } from "./ui/Nav.tsx";
import { Notices } from "./ui/Notices.tsx";

/** The login page, or the whole dashboard. */
export function App() {
  const [first, secret] = useValue(route);
  const refused = useValue(accessError);
  const enter = () => {
    if (/^#\/(login|pair)/.test(location.hash)) history.replaceState(null, "", "#/");
    route.set([]);
    accessError.set(undefined);
  };
  if (first === "pair") return <Pair link={secret} onDone={enter} />;
  if (refused && isLocked()) return <Unlock reason={refused} onDone={enter} />;
  const isLink = first === "login";
  if (isLink || refused) {
    const logoutReason = !isLink && view.get().lastEvent > 0 ? refused : undefined;
    return <Login link={isLink ? secret : undefined} logoutReason={logoutReason} onDone={enter} />;
  }
  return <Dashboard />;
}

function Dashboard() {
  const place = useValue(route);
  const [help, setHelp] = useState(false);
  const keys = useMemo(() => shortcuts(() => setHelp((before) => !before)), []);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    void live(signal);
    void askUntilAnswered(signal);
    void followActivity(signal);
    void followTimelines(signal);
    const stop = [watchAttention(), listenToKeys(keys), followWaitingAnswers(), reportPresence(seenOnRoute)];
    renewAddress().catch(() => {});
    return () => {
      leaving.abort();
      for (const end of stop) end();
    };
  }, []);
  return (
    <>
      <Nav onHelp={() => setHelp(true)} />
      <Boundary key={place.join("/")}>
        <Page />
      </Boundary>
      <Notices />
      {help && <Help list={keys} onClose={() => setHelp(false)} />}
    </>
  );
}

function Page() {
  const [page = "", id = ""] = useValue(route);
  if (page === "task" || page === "terminal" || page === "agent")
    return <Detail key={`${page} ${id}`} kind={page} id={id} />;
  if (page === "team") return <Team />;
  if (page === "thread") return <Thread id={id} />;
  if (page === "new") return <NewTask />;
  if (page === "events") return <Events />;
  if (page === "hosts") return <Hosts />;
  if (page === "settings") return <Settings />;
  return page === "" ? <Overview /> : <NoSuchPage />;
}

async function askUntilAnswered(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await askWhoIAm();
    } catch {
      // The stream shows the error; this retries until the scope is known, which decides the buttons.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}
