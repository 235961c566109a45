import { PanewardError } from "@paneward/sdk";
import { createValue } from "./value.ts";

export interface Notice {
  readonly id: number;
  readonly kind: "failure" | "done";
  readonly text: string;
  readonly hint: string;
}

/** Results and errors of the user's actions. */
export const notices = createValue<readonly Notice[]>([]);

let last = 0;

export function showMessage(text: string): void {
  add({ kind: "done", text, hint: "" });
}

/** Shows an error with its hint. */
export function showError(error: unknown): void {
  const { message, hint = "" } = error instanceof PanewardError ? error : { message: String((error as Error).message) };
  add({ kind: "failure", text: message, hint });
}

export function dismiss(id: number): void {
  notices.set(notices.get().filter((notice) => notice.id !== id));
}

function add(notice: Omit<Notice, "id">): void {
  const id = ++last;
  notices.set([...notices.get().slice(-3), { ...notice, id }]);
  if (notice.kind === "done") setTimeout(() => dismiss(id), 6_000);
}
