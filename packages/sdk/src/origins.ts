/**
 * Why a text is not an origin under which people may open the dashboard; undefined if it is one. It is compared with what
 * clients send, so it is written as they write it.
 */
export function originProblem(text: string): string | undefined {
  if (text.length > maxLength) return `is longer than ${maxLength} characters`;
  if (text.includes("*")) return "has a wildcard; list each address by itself";
  const url = URL.parse(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return "is no origin, such as https://box.example.org";
  }
  if (url.username !== "" || url.password !== "") return `names a user; write ${url.origin}`;
  if (!/^[\x21-\x7e]*$/.test(text)) return `is not written as clients send it; write ${url.origin}`;
  if (text === `${url.origin}/`) return `ends with a slash; write ${url.origin}`;
  if (`${url.pathname}${url.search}${url.hash}` !== "/") return `has a path; write ${url.origin}`;
  if (url.protocol === "http:" && url.hostname !== loopback) return notEncrypted(url);
  return text === url.origin ? undefined : `is not written as clients send it; write ${url.origin}`;
}

const maxLength = 300;
const loopback = "127.0.0.1";

// Under `localhost` a client may reach ::1, where any user of that machine can listen and pass everything on.
function notEncrypted({ hostname, port }: URL): string {
  if (/^(localhost\.?|\[::1\])$/.test(hostname)) {
    return `may lead to another program; write http://${loopback}${port === "" ? "" : `:${port}`}`;
  }
  return `is not encrypted; http is only for ${loopback}, so write https://${hostname}${port === "" ? "" : `:${port}`}`;
}
