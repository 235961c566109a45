// A file of its own, because an old Node cannot read `import()`.
import("../dist/cli/main.js");
