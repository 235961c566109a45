/** The prompt, with the files the agent should read first. */
export function withFiles(text: string, files: string): string {
  const named = files
    .split("\n")
    .map((file) => file.trim())
    .filter((file) => file !== "");
  if (named.length === 0) return text;
  return `${text}\n\nLook at these files first:\n${named.map((file) => `- ${file}`).join("\n")}`;
}
