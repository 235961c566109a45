import { operations } from "@paneward/sdk/operations";
import { z } from "zod";
import { idOrNumber, wrongInput } from "./input.ts";
import { callOf, tool } from "./tool.ts";

const { input, output } = operations.respond;
const example = { id: "3", option: 1 };

export const respondTool = tool({
  name: "agent_respond",
  operations: ["respond"],
  kind: "types",
  description: "Answer the open question by option or text; deny refuses a permission.",
  input: z.object({
    id: idOrNumber(input.shape.id),
    option: input.shape.option.describe("Its number"),
    text: input.shape.text,
    deny: z.string().optional(),
    question: input.shape.question.describe("Refused if another is open"),
  }),
  output: z.looseObject({
    status: output.shape.status.describe("queued: held until it can be typed"),
    delivery_id: z.string(),
  }),
  example,
  async run({ id, option, text, deny, question }, { client, signal }) {
    if (option === undefined && text === undefined && deny === undefined) {
      throw wrongInput("agent_respond", "give option, text or deny", example);
    }
    const answer = await client.respond({ id, option, text, deny, question }, { signal });
    return {
      data: answer,
      text: answer.status === "ok" ? "Answered." : "Held: it is typed once nothing is in the way.",
      next: callOf("terminal_wait", {
        ids: [id],
        for: [{ kind: "exited" }, { kind: "needs_input" }, { kind: "idle" }],
      }),
    };
  },
});
