/** An example in a page that is marked as runnable: a fence such as ```ts run or ```sh run. */
export interface Example {
  readonly language: "ts" | "sh";
  readonly line: number;
  readonly code: string;
  /** What it prints, when a fence ```text prints follows. */
  readonly prints: string | undefined;
}

interface Fence {
  readonly info: string;
  readonly line: number;
  readonly body: string;
}

export function examplesIn(markdown: string): readonly Example[] {
  const fences = fencesIn(markdown);
  return fences.flatMap(({ info, line, body }, at) => {
    const [language, mark] = info.split(" ");
    if (mark !== "run" || (language !== "ts" && language !== "sh")) return [];
    const next = fences[at + 1];
    return [{ language, line, code: body, prints: next?.info === "text prints" ? next.body : undefined }];
  });
}

/** Where a link that stays in the repository leads: a file, the page itself when it is empty, and a heading of it. */
export interface Link {
  readonly target: string;
  readonly heading: string | undefined;
}

export function linksIn(markdown: string): readonly Link[] {
  const prose = markdown.replace(/^```.*?^```$/gms, "").replace(/(?<!\[)`[^`\n]*`(?!\])/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => ({ target: link.split("#")[0] ?? "", heading: link.split("#")[1] }));
}

/** The headings of a page as links name them: `Who may do what` is `who-may-do-what`. */
export function headingsIn(markdown: string): readonly string[] {
  const prose = markdown.replace(/^```.*?^```$/gms, "");
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function fencesIn(markdown: string): readonly Fence[] {
  return [...markdown.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map(({ 1: info = "", 2: body = "", index }) => ({
    info: info.trim(),
    line: markdown.slice(0, index).split("\n").length,
    body,
  }));
}
