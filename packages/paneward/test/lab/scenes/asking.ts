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
