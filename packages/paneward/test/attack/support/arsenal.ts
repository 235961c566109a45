import { chmodSync, cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Every hook of git, and the names of future ones cost nothing. */
const hooks = [
  ...["applypatch-msg", "commit-msg", "fsmonitor-watchman", "post-applypatch", "post-checkout", "post-commit"],
  ...["post-index-change", "post-merge", "post-receive", "post-rewrite", "post-update", "pre-applypatch"],
  ...["pre-auto-gc", "pre-commit", "pre-merge-commit", "pre-push", "pre-rebase", "pre-receive", "prepare-commit-msg"],
  ...["proc-receive", "push-to-checkout", "reference-transaction", "sendemail-validate", "update"],
];

/** A folder of programs, each of which leaves its name when it runs. */
export function arsenal(folder: string) {
  const canaries = join(folder, "canaries");
  const programs = join(folder, "programs");
  mkdirSync(canaries, { recursive: true });
  mkdirSync(programs, { recursive: true });
  const program = (name: string, then = "exec cat") => {
    const path = join(programs, name);
    writeFileSync(path, `#!/bin/sh\n: > '${canaries}/${name}'\n${then}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  return {
    program,
    fired: () => readdirSync(canaries).toSorted(),
    hooksIn(at: string, prefix: string) {
      mkdirSync(at, { recursive: true });
      for (const hook of hooks) cpSync(program(`${prefix}-${hook}`, "exit 0"), join(at, hook));
    },
  };
}

export type Arsenal = ReturnType<typeof arsenal>;

/** All keys of a configuration that name a program and that an operation could reach. */
export function evilConfig({ program }: Arsenal, prefix: string): string {
  const p = (name: string, then?: string) => program(`${prefix}-${name}`, then);
  return `
[core]
	fsmonitor = ${p("fsmonitor", "exit 0")}
	sshCommand = ${p("ssh", "exit 1")}
	pager = ${p("pager")}
	editor = ${p("editor", "exit 0")}
	askPass = ${p("askpass", "exit 1")}
	gitProxy = ${p("proxy", "exit 1")}
	alternateRefsCommand = ${p("alternates", "exit 0")}
[sequence]
	editor = ${p("sequence-editor", "exit 0")}
[filter "evil"]
	clean = ${p("clean")}
	smudge = ${p("smudge")}
	required = false
[filter "evilprocess"]
	process = ${p("process", "exit 1")}
	required = false
[diff]
	external = ${p("external-diff", "exit 0")}
[diff "evil"]
	textconv = ${p("textconv", 'cat "$1"')}
	command = ${p("diff-command", "exit 0")}
	cachetextconv = false
[merge]
	default = evil
[merge "evil"]
	driver = ${p("merge-driver", "exit 0")}
[gpg]
	program = ${p("gpg", "exit 1")}
[gpg "ssh"]
	program = ${p("gpg-ssh", "exit 1")}
[commit]
	gpgSign = true
[log]
	showSignature = true
[credential]
	helper = ${p("credential", "exit 0")}
[uploadpack]
	packObjectsHook = ${p("pack-objects", "exit 1")}
[alias]
	status = "!${p("alias", "exit 0")}"
	diff = "!${p("alias-diff", "exit 0")}"
[pager]
	diff = ${p("pager-diff")}
	log = ${p("pager-log")}
[gc]
	auto = 1
	recentObjectsHook = ${p("gc-hook", "exit 0")}
[rebase]
	instructionFormat = "%s%nexec ${p("rebase-exec", "exit 0")}"
[extensions]
	partialClone = evil
[remote "evil"]
	promisor = true
	url = ext::${p("ext", "exit 1")}
	uploadpack = ${p("uploadpack", "exit 1")}
	vcs = evil
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[submodule]
	recurse = true
[submodule "lib"]
	update = "!${p("submodule-update", "exit 0")}"
`;
}

export const attributes = "*.txt filter=evil diff=evil merge=evil\n*.md filter=evilprocess diff=evil merge=evil\n";
