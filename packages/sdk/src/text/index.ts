export { ageOf, momentOf } from "./age.ts";
export { cutTo, graphemesOf, oneLine, widthOf } from "./width.ts";
