/**
 * When a screen counts as drawn, a dialog as standing, a prompt as taken: every such time, with what it was measured on.
 * Two that depend on each other are one expression. What differs between agents (pauses between keys, the time a young
 * dialog ignores them) stands in each agent's description as its `submit` profile.
 */

// Attention: looking at screens and judging what they show.

/** Idle is shown after it has lasted this long, so that a status does not flicker between two writes of a program. */
export const idleStableMs = 200;

// Courier: typing, submitting, and waiting for a witness.

/** How long a delivery waits for a witness before the next one may start. */
export const witnessMs = 30_000;

// Answering: dialogs, hooks and the agent's own server.

/** A dialog answered by keys is gone within this time, on a machine under load; else the answer failed. */
export const goneByKeysMs = 10_000;
