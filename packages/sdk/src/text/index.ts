export { ageOf, momentOf } from "./age.ts";
export { columnsOf } from "./columns.ts";
export { restoreWords } from "./restore-words.ts";
export { shownLine } from "./visible.ts";
export { cutTo, graphemesOf, oneLine, widthOf } from "./width.ts";
