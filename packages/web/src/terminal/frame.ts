/** A message with bytes: one byte says how long the cursor is, then the cursor, then what was printed before it. */
export function readFrame(message: Uint8Array): { readonly cursor: string; readonly bytes: Uint8Array } {
  const length = message[0] ?? 0;
  const cursor = new TextDecoder().decode(message.subarray(1, 1 + length));
  return { cursor, bytes: message.subarray(1 + length) };
}
