/** What a program takes over from the shell that asked for it: where programs are, the language, the user's choices. */
export const shellVariable = /^(PATH|SHELL|LANG|LC_[A-Z]+|TZ|TMPDIR|EDITOR|VISUAL|PAGER|XDG_[A-Z_]+)$/;

export function shellVariables(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const found = Object.entries(env).filter(([name, value]) => shellVariable.test(name) && value !== undefined);
  return Object.fromEntries(found) as Record<string, string>;
}
