import { h, render } from "preact";
import { keepShell } from "./api/service-worker.ts";
import { route } from "./state/route.ts";
import "./styles/main.css";
import { showWholeTexts } from "./ui/text-exit.ts";

showWholeTexts();
keepShell();

// A phone that a notice woke gets the page of one question with little code; everything else is the dashboard.
const roots = {
  question: async () => (await import("./pages/QuestionPage.tsx")).QuestionPage,
  dashboard: async () => (await import("./App.tsx")).App,
};

const againMs = 1_000;

// It was shown in case that this file never arrives: a proxy that changes Host is answered the page, but no scripts.
document.getElementById("unloaded")?.remove();
const place = document.getElementById("app");
let shown: keyof typeof roots | undefined;

async function draw(): Promise<void> {
  const wanted = route.get()[0] === "question" ? "question" : "dashboard";
  if (!place || wanted === shown) return;
  shown = wanted;
  try {
    const root = await roots[wanted]();
    if (shown !== wanted) return;
    place.className = wanted;
    render(h(root, {}), place);
  } catch {
    // The daemon is unreachable, and this browser has not kept this part.
    shown = undefined;
    setTimeout(draw, againMs);
  }
}

route.onChange(draw);
void draw();
