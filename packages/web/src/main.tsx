import { render } from "preact";
import { App } from "./App.tsx";
import "./styles/main.css";
import { showWholeTexts } from "./ui/text-exit.ts";

showWholeTexts();

// It was shown in case that this file never arrives: a proxy that changes Host is answered the page, but no scripts.
document.getElementById("unloaded")?.remove();
const place = document.getElementById("app");
if (place) render(<App />, place);

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/sw.js").catch(() => {
    // Optional: without it the dashboard only needs the daemon when it is opened.
  });
  // A page that was loading when the worker took control is not controlled by it yet.
  navigator.serviceWorker.ready.then(({ active }) => {
    if (!navigator.serviceWorker.controller) active?.postMessage({ type: "claim" });
  });
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data?.type === "show") location.href = String(data.address);
  });
}
