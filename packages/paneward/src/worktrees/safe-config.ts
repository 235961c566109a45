/** One entry of a git configuration; without a value it is a plain switch. */
export interface ConfigEntry {
  /** Section and name in lower case, as git prints them; a subsection as it is. */
  readonly key: string;
  readonly value: string | undefined;
}

export interface ConfigParts {
  /** Of the user and the machine. */
  readonly user: readonly ConfigEntry[];
  /** Of the repository, which an agent can write. */
  readonly repository: readonly ConfigEntry[];
  /** Filters of the user's own configuration that may run. */
  readonly filters: readonly string[];
}

/**
 * The configuration of every git that Paneward runs. It is a list of what may pass, because git has many keys that name
 * a program, some with names of the writer's choice, and new versions add more.
 */
export function safeConfig({ user, repository, filters }: ConfigParts): string {
  const entries = [
    ...user.filter(({ key }) => isData(key) || userFiles.has(key) || isAllowedFilter(key, filters)),
    ...repository.filter(({ key }) => isData(key)),
    ...fixed,
  ];
  return entries.map(lineOf).join("");
}

/** Parses `git config --list --null`. */
export function parseConfig(out: string): readonly ConfigEntry[] {
  return out
    .split("\0")
    .filter((piece) => piece !== "")
    .map((piece) => {
      const end = piece.indexOf("\n");
      return end === -1 ? { key: piece, value: undefined } : { key: piece.slice(0, end), value: piece.slice(end + 1) };
    });
}

/** The filters that a configuration defines. */
export function filtersIn(entries: readonly ConfigEntry[]): readonly string[] {
  return [...new Set(entries.flatMap(({ key }) => /^filter\.(.+)\.(?:clean|smudge|process)$/s.exec(key)?.[1] ?? []))];
}

const fixed: readonly ConfigEntry[] = [
  { key: "core.bare", value: "false" },
  { key: "core.hookspath", value: "/dev/null" },
  { key: "core.fsmonitor", value: "false" },
  { key: "core.pager", value: "cat" },
  { key: "core.editor", value: "true" },
  { key: "gc.auto", value: "0" },
  { key: "maintenance.auto", value: "false" },
];

const data = new Set([
  ...names("core", [
    ...["repositoryformatversion", "filemode", "symlinks", "ignorecase", "precomposeunicode", "longpaths"],
    ...["protecthfs", "protectntfs", "autocrlf", "eol", "safecrlf", "checkroundtripencoding"],
    ...["bigfilethreshold", "compression", "loosecompression", "sharedrepository", "logallrefupdates", "abbrev"],
    ...["checkstat", "trustctime", "sparsecheckout", "sparsecheckoutcone", "fsync", "fsyncmethod", "fsyncobjectfiles"],
  ]),
  ...names("extensions", ["objectformat", "compatobjectformat", "refstorage", "preciousobjects"]),
  ...names("index", ["sparse", "version", "threads"]),
  ...["user", "author", "committer"].flatMap((who) => names(who, ["name", "email"])),
  "user.useconfigonly",
  ...names("i18n", ["commitencoding", "logoutputencoding"]),
  ...names("diff", ["algorithm", "context", "interhunkcontext", "indentheuristic", "renames", "renamelimit"]),
  ...names("merge", ["renames", "renamelimit", "directoryrenames"]),
]);

/** Files that git reads as lists of patterns. Named by a repository they could be any file. */
const userFiles = new Set(["core.excludesfile", "core.attributesfile"]);

function names(section: string, keys: readonly string[]): readonly string[] {
  return keys.map((key) => `${section}.${key}`);
}

function isData(key: string): boolean {
  return data.has(key);
}

function isAllowedFilter(key: string, filters: readonly string[]): boolean {
  const [, name] = /^filter\.(.+)\.(?:clean|smudge|process)$/s.exec(key) ?? [];
  return name !== undefined && filters.includes(name);
}

function lineOf({ key, value }: ConfigEntry): string {
  const section = key.slice(0, key.indexOf("."));
  const name = key.slice(key.lastIndexOf(".") + 1);
  const middle = key.slice(section.length + 1, -name.length - 1);
  // A line break cannot be written into the name of a subsection.
  if (/[\n\0]/.test(middle)) return "";
  const head = middle === "" ? `[${section}]` : `[${section} "${middle.replace(/["\\]/g, "\\$&")}"]`;
  return `${head}\n\t${name}${value === undefined ? "" : ` = "${quoted(value)}"`}\n`;
}

function quoted(value: string): string {
  return value.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t").replaceAll("\b", "\\b");
}
