/** What a notice can be about. Order and words are those of the documentation. */
export const noticeKinds = {
  question: "a program asks a question",
  failed: "a task's agent failed, was killed, or is lost",
  finished: "a task's agent ended by itself, without an error",
  quota: "an agent has reached its quota",
  login: "an agent must be logged in again",
  stuck: "an agent claims to work, but neither prints nor computes",
  team: "a task on a team's board was completed, or failed",
  away: "a host could not be reached; or the daemon is gone, or was, without having been stopped",
  idle: "an agent has done what it was asked, and waits for the next prompt",
  ended: "a program outside of a task ended",
} as const;

export type NoticeKind = keyof typeof noticeKinds;

/** Those that a rule without `kinds` is about. */
export const usualKinds: readonly NoticeKind[] = [
  "question",
  "failed",
  "finished",
  "quota",
  "login",
  "stuck",
  "team",
  "away",
];

/** How much text leaves: nothing but that something waits, who and what, or also the words and what would be done. */
export const textLevels = ["none", "title", "full"] as const;

export type TextLevel = (typeof textLevels)[number];
