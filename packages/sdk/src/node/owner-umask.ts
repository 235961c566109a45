/**
 * Lets the owner of new files and folders use them, whatever the umask of the shell that started this process forbids. What it
 * says of others stays: the programs in terminals inherit it.
 */
export function keepOwnerRights(process: { umask(mask?: number): number }): void {
  process.umask(process.umask(0o077) & 0o077);
}
