import { visible } from "@paneward/sdk";
import { options } from "preact";

/**
 * The page's one exit for text, so that no page can forget it: what a browser would not draw, or would reorder a line by, is
 * shown. Text that people type, and a terminal's screen, do not pass here.
 */
export function showWholeTexts(): void {
  const before = options.vnode;
  options.vnode = (node) => {
    // Preact makes a node of each text, with the text in the place of properties.
    const text = node as { props: unknown };
    if (typeof text.props === "string") text.props = visible(text.props);
    else if (typeof node.type === "string") showAttributes(node.props as Record<string, unknown>);
    before?.(node);
  };
}

const read = ["title", "aria-label", "alt", "placeholder"] as const;

function showAttributes(props: Record<string, unknown>): void {
  for (const name of read) {
    const text = props[name];
    if (typeof text === "string") props[name] = visible(text);
  }
}
