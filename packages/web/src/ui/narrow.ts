import { useEffect, useState } from "preact/hooks";

// As in the style sheets.
const narrow = matchMedia("(max-width: 720px)");

/** Whether the page is as narrow as a phone, where a wide terminal cannot be read. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(narrow.matches);
  useEffect(() => {
    const look = () => setNarrow(narrow.matches);
    narrow.addEventListener("change", look);
    return () => narrow.removeEventListener("change", look);
  }, []);
  return isNarrow;
}
