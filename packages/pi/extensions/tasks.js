// pi loads imports one after the other, so a clone is built before.
import "./built.js";
import tasks from "../dist/tasks.js";

export default tasks;
