import type { ServerAddress, ServerRequest } from "../../model/agents/agent-server.ts";
import type { GivenAnswer } from "../../model/answer.ts";
import type { Hooked, HookFacts, ShownQuestion } from "../agent.ts";
import { listIn, textIn } from "../payload.ts";
import type { AgentServer, ServerAsked, ServerState, Started } from "../server.ts";
import { opencodePrompting } from "./prompt.ts";
import { afterOpencodeEvent, catchUp, opencodeBegan, opencodePrompted, readOpencodeState } from "./state.ts";

/** opencode's own HTTP server, as of 1.18. A request takes one answer; a second one is 404. */
export const opencodeServer: AgentServer = {
  at: addressIn,
  moved,
  events: "/event",
  catchUp,
  began: opencodeBegan,
  after: afterOpencodeEvent,
  reads: readOpencodeState,
  prompted: opencodePrompted,
  answer: replyTo,
  prompting: opencodePrompting,
  // Aborting an idle conversation changes nothing.
  interrupt: ({ current }: ServerState) =>
    current === undefined ? undefined : { method: "POST", path: `/session/${encodeURIComponent(current)}/abort` },
};

/** The command with a port on loopback and a password of its own. A command with a port keeps it. */
export function withOpencodeServer(cmd: readonly string[], { server }: HookFacts): Hooked {
  if (!server || portAt(cmd) !== undefined) return { cmd };
  return {
    cmd: [...cmd, "--port", String(server.port), "--hostname", "127.0.0.1"],
    env: passwordFor(server),
  };
}

function addressIn(argv: readonly string[], env: Readonly<Record<string, string>>): ServerAddress | undefined {
  const at = portAt(argv);
  if (at === undefined || !(at.port > 0 && at.port < 65_536)) return undefined;
  return { port: at.port, user: env[user] || "opencode", password: env[password] };
}

function moved({ argv, env }: Started, to: ServerAddress): Started {
  const at = portAt(argv);
  if (at === undefined) return { argv, env };
  return { argv: argv.with(at.index, `${at.before}${to.port}`), env: { ...env, ...passwordFor(to) } };
}

function passwordFor(to: ServerAddress): Readonly<Record<string, string>> {
  return to.password === undefined ? {} : { [user]: to.user, [password]: to.password };
}

const user = "OPENCODE_SERVER_USERNAME";
const password = "OPENCODE_SERVER_PASSWORD";

function portAt(argv: readonly string[]): { index: number; before: string; port: number } | undefined {
  const joined = argv.findIndex((word) => /^--port=\d+$/.test(word));
  if (joined >= 0) return { index: joined, before: "--port=", port: Number(argv[joined]?.slice("--port=".length)) };
  const apart = argv.indexOf("--port");
  return apart >= 0 && /^\d+$/.test(argv[apart + 1] ?? "")
    ? { index: apart + 1, before: "", port: Number(argv[apart + 1]) }
    : undefined;
}

function replyTo(
  { id, kind, payload }: ServerAsked,
  options: ShownQuestion["options"],
  answer: GivenAnswer,
): ServerRequest | undefined {
  const post = (body: object) =>
    ({ method: "POST", path: `/${kind}/${encodeURIComponent(id)}/reply`, body }) satisfies ServerRequest;
  if (kind === "question") {
    const words = chosen(payload, answer);
    return words && post({ answers: [words] });
  }
  if (answer.kind === "approve") return post({ reply: "once" });
  if (answer.kind === "deny") {
    return post({ reply: "reject", ...(answer.message === undefined ? {} : { message: answer.message }) });
  }
  const label = answer.kind === "option" && options.find(({ number }) => number === answer.number)?.label;
  const reply = label && replies[label];
  return reply ? post({ reply }) : undefined;
}

// After "always" the dialog asks again with other buttons, which only keys can press.
const replies: Readonly<Record<string, string>> = { "Allow once": "once", "Allow always": "always", Reject: "reject" };

// Labels as opencode reported them, because the screen may cut them.
function chosen(payload: ServerAsked["payload"], answer: GivenAnswer): readonly string[] | undefined {
  const [asked, ...more] = listIn(payload, "questions");
  if (!asked || more.length > 0) return undefined;
  if (answer.kind === "text") return asked.custom === false ? undefined : [answer.text];
  if (answer.kind !== "option" && answer.kind !== "options") return undefined;
  const numbers = answer.kind === "option" ? [answer.number] : answer.numbers;
  const labels = numbers.map((number) => textIn(listIn(asked, "options")[number - 1] ?? {}, "label"));
  return labels.every((label) => label !== undefined) ? labels : undefined;
}
