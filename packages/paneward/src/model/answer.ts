/**
 * An answer to a question: by the numbers that the screen shows, or in words. A permission is approved or denied by what
 * its options do, because a hook or a server knows no numbers.
 */
export type GivenAnswer =
  | { readonly kind: "option"; readonly number: number }
  | { readonly kind: "options"; readonly numbers: readonly number[] }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "approve" }
  | { readonly kind: "deny"; readonly message?: string };
