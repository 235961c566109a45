import { hookedAgents } from "../agents/registry.ts";
import { completionStep, isUsed } from "./completion-step.ts";
import { hooksStep } from "./hooks-step.ts";
import { noticesStep } from "./notices-step.ts";
import { type Phones, phoneStep } from "./phone-step.ts";
import { type Service, serviceStep } from "./service-step.ts";
import type { Step } from "./step.ts";
import { type Surroundings, shells } from "./surroundings.ts";

export interface Setting {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly places: { readonly home: string; readonly socket: string; readonly userConfig: string };
  readonly platform: string;
  /** The completion script of each shell. */
  readonly scripts: Readonly<Record<string, string>>;
  readonly phones: Phones;
  readonly service: Service;
}

/** Every step there is: what was made once is taken back also where its program is gone. */
export function allSteps(setting: Setting): readonly Step[] {
  return [
    ...Object.keys(hookedAgents).map((agent) => hooksOf(agent, setting)),
    ...shells.map((shell) => completionOf(shell, setting)),
    ...always(setting),
  ];
}

/** The steps for what is here, in the order in which they are offered. */
export function stepsFor(setting: Setting, { agents, shells: found, ownShell }: Surroundings): readonly Step[] {
  const isThere = (programs: Surroundings["agents"], name: string) =>
    programs.some((one) => one.name === name && one.path);
  const hooked = Object.entries(hookedAgents).filter(([, { kind }]) => isThere(agents, kind));
  const used = shells.filter((name) => isThere(found, name) && (name === ownShell || isUsed(name, setting.env)));
  return [
    ...hooked.map(([agent]) => hooksOf(agent, setting)),
    ...used.map((shell) => completionOf(shell, setting)),
    ...always(setting),
  ];
}

const hooksOf = (agent: string, { env, places }: Setting) => hooksStep(agent, { env, places });
const completionOf = (shell: string, { env, scripts }: Setting) => completionStep(shell, scripts[shell] ?? "", env);
const always = ({ env, places, platform, phones, service }: Setting) => [
  serviceStep(service),
  noticesStep({ env, userConfig: places.userConfig, platform }),
  phoneStep(phones),
];
