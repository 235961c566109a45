import { z } from "zod";
import type { TapAnswer } from "../../runtime/notify/taps.ts";
import type { HttpContext } from "../env.ts";
import { badInput, readJsonBody } from "../operations/body.ts";

const TapBody = z.strictObject({ tap: z.string().regex(/^[\w-]{20,64}$/) });

/**
 * POST /tap: a button of a notice was pressed. The capability in the body is all that the caller needs, and gives one answer to
 * one question, once. The words are for the person who pressed it.
 */
export function tapRoute(answer: (capability: string) => Promise<TapAnswer>): (c: HttpContext) => Promise<Response> {
  return async (c) => {
    const body = TapBody.safeParse(await readJsonBody(c.req.raw, 1_024));
    if (!body.success) throw badInput("give the button's capability as `tap`");
    const { answered, words } = await answer(body.data.tap);
    return c.json({ status: answered ? "answered" : "refused", words }, answered ? 200 : 409);
  };
}
