import { pi } from "./agents/pi.ts";
import { provedOn } from "./suite.ts";

// pi asks for no leave; its extensions ask.
provedOn(pi, {
  run: () => "",
  commands: [
    { command: "/ask-color", asks: "Which color do you like best?", answer: { option: 2 }, given: "Blue" },
    { command: "/ask-sure", asks: "Delete everything?\nIt cannot be undone.", answer: { option: 1 }, given: true },
    {
      command: "/ask-name",
      asks: "What is your name?",
      answer: { text: 'Grace "Hop" $HOME' },
      given: 'Grace "Hop" $HOME',
    },
    { command: "/ask-sure", asks: "Delete everything?\nIt cannot be undone.", answer: { option: 2 }, given: false },
  ],
});
