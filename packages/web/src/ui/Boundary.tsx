import type { ComponentChildren } from "preact";
import { useErrorBoundary } from "preact/hooks";
import { Failure } from "./Loaded.tsx";

/** A page that cannot be drawn says why; the navigation and the other pages stay usable. */
export function Boundary({ children }: { readonly children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary() as [Error | undefined, () => void];
  if (!error) return <>{children}</>;
  return (
    <main class="page">
      <h1>This page cannot be shown</h1>
      <Failure error={error} />
      <button type="button" onClick={reset}>
        Try again
      </button>
    </main>
  );
}
