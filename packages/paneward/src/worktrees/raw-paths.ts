/** Joins a folder and a latin1 name without losing bytes: file names need not be UTF-8. */
export function pathIn(folder: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, "latin1")]);
}

/** A path of Node's as latin1. */
export function rawPath(path: string): string {
  return Buffer.from(path).toString("latin1");
}
