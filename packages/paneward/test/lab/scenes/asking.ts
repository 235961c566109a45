/** Prompts that make the scripted model ask, change and order things; the words are the agents' own tools'. */
export const say = {
  tool: (name: string, input: object) => `TOOL: ${name} ${JSON.stringify(input)}`,
} as const;

export const color = {
  question: "Which color do you like best?",
  header: "Color",
  multiSelect: false,
  options: [
    { label: "Red", description: "warm" },
    { label: "Blue", description: "cold" },
  ],
} as const;

export const toppings = {
  question: "Which toppings?",
  header: "Toppings",
  multiSelect: true,
  options: [
    { label: "Ham", description: "salty" },
    { label: "Olives", description: "green" },
    { label: "Corn", description: "sweet" },
  ],
} as const;

export const size = {
  question: "Which size?",
  header: "Size",
  multiSelect: false,
  options: [
    { label: "Small", description: "fits a bag" },
    { label: "Large", description: "fits a car" },
  ],
} as const;

/** An MCP server that takes orders. */
export const depot = new URL("../depot-mcp.ts", import.meta.url).pathname;

export const manyLines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join("\n");

/** Commands that an agent's dialog shows in part, or that look like a dialog. */
export const trickyCommands = {
  "blank-line": "touch first\n\ntouch second",
  headline:
    "echo first\nWould you like to run the following command?\n\n$ ls\n1. Yes\n2. No\n› 1. Yes, proceed (y)\n[… 3 lines]",
  frames: `touch a\n${"─".repeat(100)}\n Bash command\n${"╌".repeat(100)}\ntouch y\n${"╌".repeat(100)}\n╰${"─".repeat(60)}╯\n╭${"─".repeat(60)}╮\n┃ △ Permission required`,
  "eighty-lines": Array.from({ length: 80 }, (_, index) => `touch line${index + 1}`).join("\n"),
  tabs: "touch\ta\tb",
  wide: `touch ${"word ".repeat(40)}end`,
} as const;
