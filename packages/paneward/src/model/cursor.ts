/** The cursor that lies some bytes before another. Cursors read `EPOCH:OFFSET`. */
export function backBy(cursor: string, bytes: number): string {
  if (bytes === 0) return cursor;
  const [epoch, offset] = cursor.split(":");
  return `${epoch}:${Number(offset) - bytes}`;
}
