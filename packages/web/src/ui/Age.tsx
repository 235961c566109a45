import { useEffect, useState } from "preact/hooks";
import { ageOf } from "./age.ts";

/** A duration that grows while one looks at it. */
export function Age({ since }: { readonly since: number }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), Date.now() - since < 60_000 ? 1_000 : 20_000);
    return () => clearInterval(timer);
  }, [since]);
  return <time dateTime={new Date(since).toISOString()}>{ageOf(since)}</time>;
}
