/** How a program takes the files that it runs. */
export type Interpreter = "sh" | "script" | "file option";

/** A program that runs files which need no permission to be run. Whatever else runs a file needs that permission. */
export function interpreterOf(word: string): Interpreter | undefined {
  const name = word.slice(word.lastIndexOf("/") + 1);
  if (shells.test(name)) return "sh";
  if (scripts.test(name)) return "script";
  return fileOptions.test(name) ? "file option" : undefined;
}

/** The files among its arguments that it runs, and where a text for a shell (`-c`) is if there is one. */
export function runsOf(
  kind: Interpreter,
  args: readonly string[],
): { readonly files: readonly string[]; readonly textAt?: number } {
  if (kind === "file option") return { files: withFileOption(args) };
  const files: string[] = [];
  let mayBeValue = false;
  for (const [at, arg] of args.entries()) {
    if (kind === "sh" && /^-[A-Za-z]*c[A-Za-z]*$/.test(arg)) return { files, textAt: at + 1 };
    if (arg.startsWith("-") || (kind === "sh" && arg.startsWith("+"))) {
      files.push(...valueIn(arg));
      mayBeValue = !arg.includes("=") && (kind === "script" || shellOptionsWithValue.test(arg));
      continue;
    }
    files.push(arg);
    // `deno run x.ts`
    if (!mayBeValue && !subcommands.has(arg)) return { files };
    mayBeValue = false;
  }
  return { files };
}

const shells = /^(?:ba|da|z|k|mk|a|c|tc|fi)?sh$|^(?:busybox|pwsh)$/;
const scripts =
  /^(?:python|pypy|perl|ruby|php|lua|luajit|node|nodejs|deno|bun|tsx|ts-node|Rscript|tclsh|wish|expect|osascript|java|groovy|julia|elixir|escript|guile|racket|swift|scala|kotlin)[\d.]*$/;
const fileOptions = /^(?:[bgp]?make|just|[gmn]?awk|g?sed)$/;
const shellOptionsWithValue = /^[-+][A-Za-z]*[oO]$|^--(?:rcfile|init-file)$/;
const subcommands = new Set(["run", "exec", "test", "watch"]);

/** Such as `--import=./hook.js`. */
function valueIn(option: string): readonly string[] {
  const at = option.indexOf("=");
  return at < 0 ? [] : [option.slice(at + 1)];
}

function withFileOption(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, at) => {
    if (/^(?:-\w*f|--(?:file|makefile|justfile))$/.test(arg)) return args[at + 1] ?? [];
    const [, attached] = /^(?:-f|--(?:file|makefile|justfile)=)(.+)$/.exec(arg) ?? [];
    return attached ?? [];
  });
}
