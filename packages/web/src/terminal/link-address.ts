/**
 * The address behind a link of a terminal, as a person should read it before opening it; undefined if it is not opened.
 * A URL's own form has no other letters than ASCII: none that look like others, or turn the text around.
 */
export function linkAddress(address: string): string | undefined {
  const url = URL.parse(address);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  // `https://bank.example@elsewhere` leads elsewhere.
  url.username = "";
  url.password = "";
  return url.href;
}
