// pi loads imports one after the other, so a clone is built before.
import "./built.js";
import team from "../dist/team.js";

export default team;
