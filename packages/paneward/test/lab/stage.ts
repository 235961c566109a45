import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ShownQuestion } from "../../src/agents/agent.ts";
import type { Detail, Says } from "../../src/model/attention/evidence.ts";
import type { LabAgent, LabPlace } from "./agents/lab-agent.ts";
import type { ScriptedModel } from "./model/server.ts";
import { Pane, type Shown } from "./pane.ts";

/** What a screen means, as the script that made it knows. */
export interface Truth {
  readonly says: Says;
  readonly detail?: Detail;
  readonly draft?: string;
  readonly title?: Says;
  readonly kind?: ShownQuestion["kind"];
  readonly options?: number;
  readonly freeText?: boolean;
  readonly proposal?: ShownQuestion["proposal"];
  /** Whether the screen proves that the proposal is all that would be done. */
  readonly whole?: boolean;
}

/** One start of a real agent, and the situations it is brought into. */
export interface Scene {
  readonly columns?: number;
  readonly rows?: number;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Changes the settings that skip a first start's questions. */
  readonly unsettle?: (place: LabPlace) => void;
  readonly ready?: RegExp;
  readonly play: (stage: Stage) => Promise<void>;
}

export type Keep = (name: string, shown: Shown, truth: Truth) => void;

/** A pane with a real agent, whose screens can be kept. */
export class Stage extends Pane {
  readonly #keep: Keep;

  constructor(agent: LabAgent, scene: Scene, place: LabPlace, keep: Keep) {
    super({
      socket: join(place.home, "tmux.sock"),
      argv: [...agent.argv(place), ...(scene.args ?? [])],
      env: {
        PATH: process.env.PATH ?? "",
        HOME: place.home,
        LANG: "C.UTF-8",
        SHELL: "/bin/sh",
        EDITOR: "vi",
        ...agent.env(place),
        ...scene.env,
      },
      cwd: place.project,
      columns: scene.columns ?? 100,
      rows: scene.rows ?? 40,
    });
    this.#keep = keep;
  }

  /** Keeps the screen once it has stood still, or at once when it moves. */
  async keep(name: string, truth: Truth, moving = false): Promise<void> {
    this.#keep(name, moving ? this.look() : await this.still(), truth);
  }

  /** Spinners count and tips blink; a screen is still when two looks, a while apart, are the same. */
  async still(): Promise<Shown> {
    let before = this.look();
    for (let looks = 0; looks < 50; looks++) {
      await delay(700);
      const now = this.look();
      if (now.lines.join("\n") === before.lines.join("\n")) return now;
      before = now;
    }
    throw new Error(`the screen never stood still; it was:\n${before.lines.join("\n")}`);
  }
}

// Screens show it, so its name tells nothing of the machine; Codex dislikes a home below /tmp.
const homeOf = (agent: LabAgent) => `/var/tmp/dev-${agent.name}`;

export async function perform(agent: LabAgent, scene: Scene, model: ScriptedModel, keep: Keep): Promise<void> {
  const home = homeOf(agent);
  if (existsSync(home)) throw new Error(`${home} is in use; remove it if no other recording runs`);
  const place = { home, project: join(home, "shop"), model: model.url };
  mkdirSync(place.project, { recursive: true });
  spawnSync("git", ["init", "-q", place.project]);
  try {
    agent.settle(place);
    scene.unsettle?.(place);
    const stage = new Stage(agent, scene, place, keep);
    try {
      await stage.shows(scene.ready ?? agent.ready);
      await stage.still();
      await scene.play(stage);
    } finally {
      stage.close();
    }
  } finally {
    // What was just killed may still write its last file.
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}
