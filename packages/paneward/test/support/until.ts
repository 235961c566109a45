export { until } from "../../../tmux/test/support/until.ts";
