/** Side effects of a key: a call to the daemon, another program, or the terminal. */
export type Effect =
  | { readonly kind: "call"; readonly call: Call }
  | { readonly kind: "attach"; readonly id: string }
  | { readonly kind: "shell"; readonly id: string }
  | { readonly kind: "edit"; readonly id: string }
  | { readonly kind: "journal"; readonly id: string; readonly title: string }
  | { readonly kind: "diff"; readonly id: string; readonly title: string }
  | { readonly kind: "redraw" }
  | { readonly kind: "suspend" }
  | { readonly kind: "quit" };

/** An operation whose result is one line of the command log. */
export type Call =
  | { readonly operation: "start" | "stop" | "restart" | "merge" | "complete" | "rm"; readonly id: string }
  | { readonly operation: "undo" }
  | { readonly operation: "new"; readonly root: string | undefined; readonly text: string; readonly draft: boolean }
  | { readonly operation: "send"; readonly id: string; readonly text: string; readonly command: boolean }
  | {
      readonly operation: "respond";
      readonly id: string;
      readonly question: string;
      readonly answer: Answer;
      /** The person has seen the terminal's screen: the hash of the question's lines on it. */
      readonly seenScreen?: string;
    };

export type Answer =
  | { readonly option: number }
  | { readonly text: string }
  /** Denies a permission, with these words. */
  | { readonly deny: string }
  /** Indices of several options, from 0. */
  | { readonly several: readonly number[] };

export interface Next<State> {
  readonly state: State;
  readonly effects: readonly Effect[];
}
