import { callText, type capabilityActions, type ParametersOf } from "@paneward/sdk/reference";
import { Refusal } from "./result.ts";
import { type Work, windowAt } from "./work.ts";

/** Turns typing into all panes of a window at once on or off. */
export async function synchronize(
  work: Work,
  { window: wanted, mode }: ParametersOf<(typeof capabilityActions)["sync"]>,
): Promise<object> {
  const window = await windowAt(work, wanted);
  const { number } = window;
  await work.workspaces.synchronize(work.spec, window, mode === "on");
  return { window: number, synchronized: mode === "on", panes: window.panes.map(({ address }) => address) };
}

interface KeptLayout {
  readonly layout: string;
  readonly panes: number;
}

const builtIn = ["even-horizontal", "even-vertical", "main-horizontal", "main-vertical", "tiled"];

/** Saves a window's layout under a name, or restores it. */
export async function arrangeLayout(
  work: Work,
  { window: wanted, mode, name }: ParametersOf<(typeof capabilityActions)["layout"]>,
): Promise<object> {
  const { world, spec } = work;
  const place = placeOf(work);
  const window = await windowAt(work, wanted);
  const { number } = window;
  const panes = window.panes.length;
  if (mode === "save") {
    if (builtIn.includes(name)) {
      throw new Refusal(`'${name}' is a layout of tmux's own`, callText("layout", { mode, name: `my-${name}` }));
    }
    world.store.workspaces.keep("layout", place, name, { layout: window.layout, panes } satisfies KeptLayout);
    return { window: number, name, saved: true, panes };
  }
  const kept = world.store.workspaces.kept<KeptLayout>("layout", place, name);
  if (!kept && !builtIn.includes(name)) {
    const known = [...world.store.workspaces.keptNames("layout", place), ...builtIn];
    const [meant = "tiled"] = known;
    const call = callText("layout", { window: String(number), mode, name: meant });
    throw new Refusal(`There is no layout '${name}'; there are ${known.join(", ")}`, call, "not_found");
  }
  if (kept && kept.panes !== panes) {
    const call = callText("layout", { window: String(number), mode, name: "tiled" });
    throw new Refusal(
      `The layout '${name}' is for ${kept.panes} panes and window ${number} has ${panes}`,
      call,
      "wrong_state",
    );
  }
  await work.workspaces.arrange(spec, window, kept?.layout ?? name);
  return { window: number, name, restored: true, panes };
}

/** Layouts and snapshots belong to one session on one host. */
export function placeOf({ spec }: Work): string {
  return `${spec.host} ${spec.session}`;
}
