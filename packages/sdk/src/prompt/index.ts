export { lineAtCursor } from "./line-at-cursor.ts";
export { isQuestion, type Prompt, type PromptKind, type PromptOption, type ScreenCursor } from "./prompt.ts";
export { readPrompt } from "./read-prompt.ts";
