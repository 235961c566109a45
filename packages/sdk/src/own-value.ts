/** A table's value for a name that comes from outside: `constructor` and `__proto__` are in no table. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
