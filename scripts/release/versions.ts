import type { Step } from "./step.ts";

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly private?: boolean;
  readonly [kind: string]: unknown;
}

export interface VersionFiles {
  /** Every package.json and plugin.json below packages, by its path. */
  readonly manifests: Readonly<Record<string, Manifest>>;
  readonly lock: { readonly packages: Readonly<Record<string, Manifest>> };
  readonly changelog: string;
  readonly readme: string;
}

/** The version is the same in every place, and the packages ask for each other's. */
export function checkVersions({ manifests, lock, changelog, readme }: VersionFiles): Step {
  const version = manifests["packages/paneward/package.json"]?.version ?? "none";
  const places: [string, string | undefined][] = Object.entries(manifests).flatMap(([path, manifest]) => [
    [path, manifest.version],
    ...ours(manifest).map(([name, wanted]): [string, string] => [`${path}, ${name}`, wanted]),
  ]);
  for (const [path, manifest] of Object.entries(lock.packages).filter(([name]) => /^packages\/[^/]+$/.test(name))) {
    places.push([`package-lock.json, ${path}`, manifest.version]);
    for (const [name, wanted] of ours(manifest)) places.push([`package-lock.json, ${path}, ${name}`, wanted]);
  }
  places.push(["CHANGELOG.md, the first heading", /^## (\S+)/m.exec(changelog)?.[1]]);
  places.push(["README.md, what `npm start` prints", /^paneward (\S+) is up/m.exec(readme)?.[1]]);
  const isSemver = /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version);
  return {
    name: "versions",
    faults: [
      ...(isSemver ? [] : [`${version} is no version`]),
      ...places
        .filter(([, found]) => found !== version)
        .map(([place, found]) => `${place} has ${found}, not ${version}`),
    ],
    detail: `${version} in ${places.length} places`,
  };
}

function ours(manifest: Manifest): readonly [string, string][] {
  return ["dependencies", "devDependencies", "peerDependencies"].flatMap((kind) =>
    Object.entries((manifest[kind] ?? {}) as Record<string, string>).filter(
      ([name]) => name === "paneward" || name.startsWith("@paneward/"),
    ),
  );
}

/** The version has an entry that says what changed. */
export function checkChangelog(changelog: string, version: string): Step {
  const [, heading = "", entry = ""] = /^## ([^\n]*)\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog) ?? [];
  const lines = entry.split("\n").filter((line) => line.startsWith("- ")).length;
  const faults = [
    ...(heading.split(" ")[0] === version ? [] : [`CHANGELOG.md begins with "${heading}", not with ${version}`]),
    ...(lines > 0 ? [] : [`CHANGELOG.md says nothing about ${version}`]),
  ];
  const isOpen = heading.includes("not released") ? "; before the release, its heading gets the date" : "";
  return { name: "changelog", faults, detail: `${lines} lines about ${version}${isOpen}` };
}
