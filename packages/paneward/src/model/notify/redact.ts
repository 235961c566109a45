/** A text without what looks like a secret, and whether something was left out. */
export function withoutSecrets(text: string): { readonly text: string; readonly isChanged: boolean } {
  const clean = patterns.reduce((sofar, [pattern, put]) => sofar.replace(pattern, put), text);
  return { text: clean, isChanged: clean !== text };
}

const mark = "[secret]";

// Known forms of keys, then what is named like one. A false alarm costs a button; a miss costs a secret.
const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, mark],
  [/\b(sk|pk|rk)[-_](live|test|ant|proj|or|svcacct)?[-_A-Za-z0-9]{16,}/g, mark],
  [/\b(gh[pousr]|glpat|github_pat|npm|pypi|hf|xox[abprs]|shpat|dop_v1|whsec|tskey)[-_][-_A-Za-z0-9]{12,}/g, mark],
  [/\b(AKIA|ASIA)[A-Z0-9]{16}\b/g, mark],
  [/\bAIza[-_A-Za-z0-9]{30,}/g, mark],
  [/\bpw[a-z]?_[0-9a-f]{6,}[-_0-9A-Za-z]*/g, mark],
  [/\beyJ[-_A-Za-z0-9]{8,}\.[-_A-Za-z0-9]{8,}\.[-_A-Za-z0-9]*/g, mark],
  [/\b(Bearer|Basic|Token)(\s+)[-_+/=.~A-Za-z0-9]{8,}/gi, `$1$2${mark}`],
  [/(:\/\/[^\s/:@'"]*:)[^\s/@'"]+(@)/g, `$1${mark}$2`],
  [
    /\b([A-Za-z0-9_-]*(?:passw(?:or)?d|passphrase|secret|token|api[-_]?key|access[-_]?key|private[-_]?key|credentials?)[A-Za-z0-9_-]*["']?\s*[=:]\s*["']?)(?!\[secret\])[^\s"'&;,)]{4,}/gi,
    `$1${mark}`,
  ],
  [/(\s--?(?:password|passwd|pass|token|secret|api-key)[= ])(?!\[secret\])["']?[^\s"']{4,}["']?/gi, `$1${mark}`],
];
