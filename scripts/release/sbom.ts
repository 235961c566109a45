import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.ts";
import type { Step } from "./step.ts";

/** What the archive consists of, as CycloneDX: by npm, out of the very folders that are packed. */
export function writeSbom(lib: string, to: string, expected: number): Step {
  const { ok, stdout, printed } = run(["npm", "sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application"], {
    cwd: lib,
  });
  if (!ok) return { name: "sbom", faults: [printed], detail: "" };
  const bom = JSON.parse(stdout) as {
    readonly specVersion: string;
    readonly components: readonly { readonly name: string }[];
  };
  writeFileSync(to, stdout);
  const missing = JSON.parse(readFileSync(join(lib, "package.json"), "utf8")).dependencies as Record<string, string>;
  const faults = [
    ...Object.keys(missing)
      .filter((name) => !bom.components.some((one) => one.name === name))
      .map((name) => `${name} is missing`),
    ...(bom.components.length === expected ? [] : [`${bom.components.length} components instead of ${expected}`]),
  ];
  return { name: "sbom", faults, detail: `CycloneDX ${bom.specVersion}, ${bom.components.length} components` };
}
