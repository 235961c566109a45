export { apply } from "./apply.ts";
export { type ChosenAnswer, doubtWords, needsReading, reportedWords, unprovedWords } from "./approval.ts";
export { eventWords } from "./event-words.ts";
export { type Arrangement, countsOf, type Group, groupsOf, plainArrangement } from "./groups.ts";
export { type Row, rowsOf } from "./rows.ts";
export { type Lists, snapshot } from "./snapshot.ts";
export { type Sort, sorts } from "./sort.ts";
export { type Connection, emptyView, type Stale, type View, withConnection, withStale } from "./view.ts";
export { askedWords, deniesWithWords, needWords, reasonOf, takesText } from "./words.ts";
