/** The JSON that a request brings, read from a copy; undefined when it is too long or cannot be parsed. */
export async function readMessages(request: Request, maxBytes: number): Promise<unknown> {
  if (Number(request.headers.get("content-length")) > maxBytes) return undefined;
  const decoder = new TextDecoder();
  let [length, text] = [0, ""];
  try {
    for await (const chunk of request.clone().body ?? []) {
      length += chunk.byteLength;
      if (length > maxBytes) return undefined;
      text += decoder.decode(chunk, { stream: true });
    }
    return JSON.parse(text + decoder.decode());
  } catch {
    return undefined;
  }
}
