/**
 * Where an agent keeps its records, as text of its description: `~` at the beginning or in a fallback is the home folder,
 * `{NAME:-fallback}` a variable of its environment, `{id}` the conversation's id, `{id:8}` the first eight characters of it.
 * `*` stands for any part of a name.
 */
export function recordPattern(
  template: string,
  env: Readonly<Record<string, string | undefined>>,
  id: string | undefined,
): string {
  const placed = template.replaceAll(/\{([A-Z_]+):-([^{}]*)\}/g, (_, name: string, fallback: string) => {
    return env[name] || fallback;
  });
  const named = placed.replaceAll(/\{id(?::(\d+))?\}/g, (_, length?: string) => {
    // An id is a name, not a pattern: one that could be a pattern matches nothing.
    if (id === undefined || !plainId.test(id)) return "*";
    return length === undefined ? id : id.slice(0, Number(length));
  });
  return named.startsWith("~") ? `${env.HOME ?? ""}${named.slice(1)}` : named;
}

/** Whether the template says by which name the record of one conversation is found. */
export function namesConversation(template: string): boolean {
  return template.includes("{id");
}

/**
 * Whether an agent can be asked to resume this conversation. Ids come from hooks and files of agents: one that begins with a
 * dash would be an option of the command, and one with a slash a file.
 */
export function canBeResumed(id: string): boolean {
  return /^\w[\w.:-]{0,199}$/.test(id);
}

const plainId = /^[\w-]+$/;
