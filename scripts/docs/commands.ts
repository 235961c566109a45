import { exitCodes } from "@paneward/sdk";
import type { Command, Option } from "../../packages/paneward/src/cli/command.ts";
import { type Section, sections } from "../../packages/paneward/src/cli/command-table.ts";
import { code, linkTo, paragraph, table } from "./markdown.ts";

/** Every command that help shows, below the same headings. */
export function commandSections(): string {
  return sections.map(sectionText).join("\n\n");
}

export function exitCodeTable(): string {
  return table(["Exit code", "Means"], Object.entries(exitCodes));
}

function sectionText({ title, commands, pages = [] }: Section): string {
  const more = pages.length === 0 ? [] : [`More in ${pages.map(linkTo).join(" and ")}.`];
  const shown = commands.filter(({ hidden }) => !hidden);
  return [`## ${title}`, ...more, ...shown.map(commandText)].join("\n\n");
}

function commandText(command: Command): string {
  const { name, summary, details, page, options = [], examples } = command;
  const more = page === undefined ? "" : ` More in ${linkTo(page)}.`;
  const prose = `${code(usageOf(command))}: ${summary}.${details === undefined ? "" : ` ${details}`}${more}`;
  const optionTable = options.length === 0 ? [] : [table(["Option", ""], options.map(optionCells))];
  return [`### ${code(name)}`, paragraph(prose), ...optionTable, ["```sh", ...examples, "```"].join("\n")].join("\n\n");
}

/** `paneward new [OPTION…] [TEXT…]`. */
export function usageOf({ name, takes = "", options = [], json }: Command): string {
  const optional = options.length > 0 || json !== false ? ["[OPTION…]"] : [];
  const words = takes.replaceAll("...", "…").replace(/<([^>]*)>/g, "$1");
  return ["paneward", name, ...optional, ...(words === "" ? [] : [words.toUpperCase()])].join(" ");
}

function optionCells([flags, what, repeated]: Option): readonly string[] {
  return [code(flags), repeated ? `${what}; may be repeated` : what];
}
