export { afterwards, type Cleanup, temporaryFolder } from "../../../tmux/test/support/folder.ts";
