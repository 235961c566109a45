/** The result of one look at the task session. */
export interface Snapshot {
  readonly exists: boolean;
  /** When it was taken, in milliseconds. */
  readonly at: number;
  /** Which tmux process: window ids are meaningful only together with it. */
  readonly server?: string;
  readonly tasks: readonly TaskSnapshot[];
}

/** One window of the session: one task. */
export interface TaskSnapshot {
  readonly windowId: string;
  readonly windowName: string;
  readonly paneId?: string;
  readonly paneStateKnown: boolean;
  /** The program's process: a restarted task has another one. */
  readonly pid?: number;
  readonly currentCommand?: string;
  readonly taskCommand?: string;
  readonly taskCwd?: string;
  readonly dead: boolean;
  readonly exitCode?: number;
  readonly exitSignal?: number;
  readonly bell: boolean;
  readonly bellCount?: number;
  readonly outputPreview?: string;
  readonly prompt?: ScreenPrompt;
}

/** A question at the end of the screen. */
export interface ScreenPrompt {
  readonly text: string;
  /** Its row, counted from the start of the history: a repeated question is further down. */
  readonly row: number;
  /** Columns and rows of the pane: a resize moves every row. */
  readonly size: string;
}

export const nothing = (at: number): Snapshot => ({ exists: false, at, tasks: [] });

export function liveTasks(snapshot: { readonly tasks: readonly TaskSnapshot[] }): readonly TaskSnapshot[] {
  return snapshot.tasks.filter(({ dead }) => !dead);
}
