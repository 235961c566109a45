export interface Log {
  info(message: string, details?: object): void;
  warn(message: string, details?: object): void;
  error(message: string, details?: object): void;
}

export type ProgramAnswer =
  | { readonly kind: "printed"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "silent" }
  | { readonly kind: "failed"; readonly reason: string };

export interface AskOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly limitMs?: number;
}

/** What can be seen of the machine the daemon runs on. */
export interface Machine {
  /** What a program says that answers at once, if it is there and works. */
  ask(program: string, args: readonly string[], options?: AskOptions): Promise<ProgramAnswer>;
  /** The permission bits of a file or folder; `~/` is the user's own. */
  mode(path: string): Promise<number | undefined>;
  /** When a file was written last, in milliseconds since 1970; `~/` is the user's own. */
  changedAt(path: string): Promise<number | undefined>;
  /** What a small file of the user's holds; `~/` is the user's own. Undefined when it cannot be read. */
  text(path: string): Promise<string | undefined>;
  isFolder(path: string): boolean;
  /** How much more its file system takes. Some have no limit of files. */
  free(path: string): Promise<{ readonly bytes: number; readonly files: number }>;
  /** The CPU time that a process and all below it have used, in milliseconds; undefined where that cannot be seen. */
  cpuTime(pid: number): number | undefined;
  /** Why no connection to this port of a host can be made; undefined if one can. */
  unreachable(host: string, port: number): Promise<string | undefined>;
  /** Identifies the time since the machine was started; undefined where that cannot be seen. */
  readonly boot: string | undefined;
  /** The processes that are left of a terminal's program: of the session that its wrapper led, with its variable. */
  leftOf(terminal: string, wrapper: number): readonly number[];
  /** Whether there is such a process. */
  runs(pid: number): boolean;
}

/** The ports of 127.0.0.1 from which programs of this user are connected to one of ours, as far as that can be seen. */
export type OwnPeers = (port: number) => Promise<ReadonlySet<number>>;

/** Small files of the daemon's own, such as a task's prompt. */
export interface Files {
  writePrivate(path: string, content: string | Uint8Array): Promise<void>;
  /** Makes a file, whole or not at all; throws if anything is there, or if a folder on the way from `top` is a link. */
  writeNew(top: string, path: string, content: Uint8Array): Promise<void>;
  /** Replaced atomically. Existing folders keep their mode. */
  replacePrivate(path: string, text: string): Promise<void>;
  /** Undefined when there is no such file. */
  text(path: string): Promise<string | undefined>;
  /** The folders inside a folder. */
  folders(path: string): Promise<readonly { readonly path: string; readonly changedAt: number }[]>;
  /** What is inside a folder, whatever it is; nothing if there is no such folder. */
  inside(path: string): Promise<readonly { readonly name: string; readonly bytes: number }[]>;
  remove(path: string): Promise<void>;
}

/** Files that programs write about themselves, one per process. */
export interface StateFiles {
  /** Reports a file's name and text whenever it changes, until stopped. Waits for a folder that does not exist yet. */
  follow(
    folder: string,
    onChange: (name: string, text: string) => void,
  ): {
    /** Reports every file as it is now. */
    lookAgain(): Promise<void>;
    stop(): void;
  };
}
