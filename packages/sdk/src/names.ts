/** A slug for a branch, a folder and a session name, made of a task's first line. */
export function slugOf(text: string): string {
  const [firstLine = ""] = text.trim().split("\n");
  const slug = firstLine
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40)
    .replace(/-+$/, "");
  if (slug === "") return "task";
  return /^[a-z]/.test(slug) ? slug : `t-${slug}`;
}

/** `fix`, then `fix2`, `fix3`, … as names are taken. */
export function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(wanted)) return wanted;
  for (let number = 2; ; number++) if (!isTaken(`${wanted}${number}`)) return `${wanted}${number}`;
}

export function taskSessionName(id: number, slug: string): string {
  return `paneward-${id}-${slug}`;
}

export function taskBranch(id: number, slug: string): string {
  return `paneward/${id}-${slug}`;
}

/** The session name of a plain terminal: the name is for people, the id makes it unique. */
export function terminalSessionName(id: string, name: string): string {
  return `paneward-${id}-${name.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 60)}`;
}

/** Parses a session name: the task or terminal it belongs to. */
export function parseSessionName(
  name: string,
): { readonly task: number; readonly slug: string } | { readonly terminal: string } | undefined {
  const [, task, slug] = /^paneward-(\d+)-(.+)$/.exec(name) ?? [];
  if (task !== undefined && slug !== undefined) return { task: Number(task), slug };
  const [, terminal] = /^paneward-(t\d+)-/.exec(name) ?? [];
  return terminal === undefined ? undefined : { terminal };
}

/** What a program takes over from the shell that asked for it: where programs are, the language, the user's choices. */
export const shellVariable = /^(PATH|SHELL|LANG|LC_[A-Z]+|TZ|TMPDIR|EDITOR|VISUAL|PAGER|XDG_[A-Z_]+)$/;

export function shellVariables(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const found = Object.entries(env).filter(([name, value]) => shellVariable.test(name) && value !== undefined);
  return Object.fromEntries(found) as Record<string, string>;
}
