import { closureOf, type Lock } from "./lock-closure.ts";
import type { Step } from "./step.ts";

/** Permissive licences, which ask for no more than their own text in a copy. */
export const allowed: readonly string[] = [
  "MIT",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "BlueOak-1.0.0",
];

/** What users of the published packages install has a licence of the list. */
export function checkLicences(lock: Lock, packages: readonly string[]): Step {
  const found = closureOf(lock, packages).map((path) => ({
    name: path.replace(/^.*node_modules\//, ""),
    licence: lock[path]?.license ?? "none",
  }));
  const counts = Map.groupBy(found, ({ licence }) => licence);
  return {
    name: "licences",
    faults: found
      .filter(({ licence }) => !isAllowed(licence))
      .map(({ name, licence }) => `${name} has the licence ${licence}, which is not on the list`),
    detail: `${found.length} dependencies: ${[...counts].map(([licence, all]) => `${all.length} ${licence}`).join(", ")}`,
  };
}

/** Of `(MIT OR GPL-2.0)` one is enough. */
function isAllowed(expression: string): boolean {
  const alternatives = expression.replace(/^\((.*)\)$/, "$1").split(" OR ");
  return alternatives.some((one) => one.split(" AND ").every((licence) => allowed.includes(licence)));
}
