import { type Input, type OperationName, type Output, operationNames } from "@paneward/sdk";
import { operations } from "@paneward/sdk/operations";
import { type Size, sampleValue } from "./sample-value.ts";

type Inputs = { readonly [Name in OperationName]: Input<Name> };
type Outputs = { readonly [Name in OperationName]: Output<Name> };

/** A good input for every operation. */
export function inputsOf(size: Size): Inputs {
  return samples("input", size) as Inputs;
}

/** A good answer of every operation. */
export function outputsOf(size: Size): Outputs {
  return samples("output", size) as Outputs;
}

export const sampleInputs = inputsOf("full");
export const sampleOutputs = outputsOf("full");

function samples(io: "input" | "output", size: Size): unknown {
  const made = operationNames.map((name) => {
    try {
      return [name, sampleValue(operations[name][io], io, size)] as const;
    } catch (cause) {
      throw new Error(`${name}: ${(cause as Error).message}`, { cause });
    }
  });
  return Object.fromEntries(made);
}
