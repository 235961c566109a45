/** A binary message: one byte with the length of the cursor, the cursor, then the output before it. */
export function readFrame(message: Uint8Array): { readonly cursor: string; readonly bytes: Uint8Array } {
  const length = message[0] ?? 0;
  const cursor = new TextDecoder().decode(message.subarray(1, 1 + length));
  return { cursor, bytes: message.subarray(1 + length) };
}
