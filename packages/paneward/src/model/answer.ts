/** An answer to a question: by the numbers that the screen shows, or in words. */
export type GivenAnswer =
  | { readonly kind: "option"; readonly number: number }
  | { readonly kind: "options"; readonly numbers: readonly number[] }
  | { readonly kind: "text"; readonly text: string };
