import { lstat } from "node:fs/promises";

/**
 * Listens again when the socket's file is gone: programs that tidy up folders for temporary files remove it, and nobody could
 * reach the daemon any more, not even to stop it. What others put in its place is left alone.
 */
export function keepSocket(
  path: string,
  everyMs: number,
  listenAgain: () => Promise<void>,
  report: (message: string, error: unknown) => void,
): { stop(): Promise<void> } {
  let looking: Promise<void> | undefined;
  let hasFailed = false;
  const look = async () => {
    try {
      if (await isGone(path)) {
        await listenAgain();
        report("the socket was removed while in use, and was made again", path);
      }
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) report("the socket was removed while in use, and cannot be made again", error);
      hasFailed = true;
    }
  };
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}

async function isGone(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}
