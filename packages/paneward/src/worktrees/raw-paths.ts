/** A path in a folder, with every byte of a latin1 name kept: file names need not be UTF-8. */
export function pathIn(folder: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, "latin1")]);
}
