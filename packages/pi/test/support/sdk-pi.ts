import { join } from "node:path";
import { type PiHome, repository } from "./pi-home.ts";

/** The part of pi as a library that the test uses. */
interface Library {
  readonly DefaultResourceLoader: new (options: object) => Loader;
  readonly SettingsManager: { readonly inMemory: (settings: object) => object };
  readonly SessionManager: { readonly inMemory: (cwd: string) => object };
  readonly createAgentSession: (options: object) => Promise<{ readonly session: SdkSession }>;
}

interface Loader {
  reload(): Promise<void>;
  getExtensions(): { readonly errors: readonly unknown[]; readonly extensions: readonly { readonly path: string }[] };
}

export interface SdkSession {
  readonly sessionId: string;
  readonly messages: readonly SdkMessage[];
  bindExtensions(bindings: object): Promise<void>;
  prompt(text: string): Promise<void>;
  waitForIdle(): Promise<void>;
  dispose(): void;
}

export interface SdkMessage {
  readonly role: string;
  readonly customType?: string;
  readonly isError?: boolean;
  readonly content: string | readonly { readonly type: string; readonly text?: string }[];
}

/** pi's own scripted model. */
interface Faux {
  fauxProvider(options: object): {
    readonly provider: unknown;
    getModel(): unknown;
    setResponses(all: unknown[]): void;
  };
  fauxAssistantMessage(content: unknown, options?: object): unknown;
  fauxToolCall(name: string, args: object): unknown;
}

const modules = join(repository, "node_modules/.agents/pi/node_modules/@earendil-works");

/** Real pi as a library, in this process: no terminal, no protocol, a scripted model. */
export async function openSdkPi(home: PiHome, extensions: readonly string[]) {
  const library = (await import(join(modules, "pi-coding-agent/dist/index.js"))) as Library;
  const ai = (await import(join(modules, "pi-ai/dist/index.js"))) as Faux;
  const model = ai.fauxProvider({ provider: "faux", models: [{ id: "faux-1" }] });
  const settingsManager = library.SettingsManager.inMemory({});
  const place = { cwd: home.project, agentDir: home.agentFolder, settingsManager };
  const register = (pi: { registerProvider(provider: unknown): void }) => pi.registerProvider(model.provider);
  const loader = new library.DefaultResourceLoader({
    ...place,
    additionalExtensionPaths: extensions,
    extensionFactories: [register],
  });
  await loader.reload();
  const { session } = await library.createAgentSession({
    ...place,
    resourceLoader: loader,
    sessionManager: library.SessionManager.inMemory(home.project),
    model: model.getModel(),
  });
  await session.bindExtensions({});
  return {
    session,
    loaded: loader.getExtensions(),
    /** The model's next answers, in order: text, or tool calls. */
    plan: (...steps: readonly (string | { readonly tool: string; readonly args: object })[]) =>
      model.setResponses(
        steps.map((step) =>
          typeof step === "string"
            ? ai.fauxAssistantMessage(step)
            : ai.fauxAssistantMessage([ai.fauxToolCall(step.tool, step.args)], { stopReason: "toolUse" }),
        ),
      ),
  };
}

export function textOf({ content }: SdkMessage): string {
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");
}
