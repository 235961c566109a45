import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { operationNames } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { z } from "zod";
import { sampleValue } from "../support/sample-value.ts";
import { inputsOf } from "../support/samples.ts";

describe("samples", () => {
  const [full, minimal] = [inputsOf("full"), inputsOf("minimal")];

  for (const name of operationNames) {
    test(`of ${name} have all its fields, or only the required ones`, () => {
      const { input } = operations[name];
      assert.deepEqual(Object.keys(full[name]), Object.keys(input.shape));
      for (const field of Object.keys(minimal[name]))
        assert.ok(!input.safeParse({ ...minimal[name], [field]: undefined }).success, field);
    });
  }

  test("have no default values, every alternative of a list, and letters that need escaping", () => {
    const schema = z.object({
      text: z.string(),
      on: z.boolean().default(true),
      mode: z.enum(["a", "b"]).default("a"),
      seconds: z.number().default(60),
      some: z.array(z.union([z.literal(1), z.object({ two: z.string().regex(/^\w+$/) })])),
      maybe: z.string().regex(/^\w+$/).nullable(),
    });
    const rest = { text: 'text é&%\n"', some: [1, { two: "two" }], maybe: "maybe" };
    assert.deepEqual(sampleValue(schema, "input", "full"), { ...rest, on: false, mode: "b", seconds: 0.5 });
    assert.deepEqual(sampleValue(schema, "input", "minimal"), { text: rest.text, some: [], maybe: null });
  });

  test("use a schema's example, and require one where a value cannot be derived", () => {
    const pane = z.string().regex(/^%\d+$/);
    assert.deepEqual(sampleValue(pane.meta({ examples: ["%3"] }), "input", "full"), "%3");
    assert.throws(() => sampleValue(z.object({ pane }), "input", "full"), /add \.meta\(\{ examples.*→ at pane/s);
  });
});
