/** Runs nothing for a file, and nothing inside a submodule: whether that has changed files of its own is not shown. */
export const plainDiff = ["--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];
