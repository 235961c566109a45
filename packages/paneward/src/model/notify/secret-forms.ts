/** What replaces a secret. */
export const mark = "[secret]";
export const not = "(?!\\[secret\\])";
export const word = "[^\\s\"'`│]+";
export const quoted = "\\\\?\"(?:[^\"\\\\\\n]|\\\\.)*\"?|'[^'\\n]*'?|`[^`\\n]*`?";
const value = `${not}(?:${quoted}|${word})`;
/** A terminal broke the line. */
const more = "(?:[ \\t│|]*\\n[ \\t│|]*(?=[-_+/=A-Za-z]*(?:\\d|[a-z][A-Z]))[-_+/=A-Za-z0-9]{4,})?";

// A false alarm costs a button; a miss costs a secret. Each looks at most a few hundred letters ahead, so that no text is slow.
export const secretForms: readonly (readonly [RegExp, string])[] = [
  [
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY[A-Z ]{0,40}-----[\s\S]*?(-----END [A-Z ]{0,40}PRIVATE KEY[A-Z ]{0,40}-----|$)/g,
    mark,
  ],
  // Keys by the beginnings that their services gave them.
  [form("(?:sk|pk|rk)[-_](?:live|test|ant|proj|or|svcacct)?[-_A-Za-z0-9]{16,}"), mark],
  [form("(?:gh[pousr]|npm|hf|tk|dop_v1|gsk|r8|figd|rubygems|lin_(?:api|oauth))_[A-Za-z0-9]{12,}"), mark],
  [
    form(
      "(?:github_pat|dckr_pat|pypi|xox[a-z]|xapp|shp(?:at|ca|pa|ss)|whsec|tskey|sntrys|fm[12])[-_][-_+/=A-Za-z0-9]{12,}",
    ),
    mark,
  ],
  [form("(?:gl(?:pat|rt|dt|soat)|nvapi|xai|pplx|pul|NRAK|PMAK|CFPAT|lsv2_(?:pt|sk))[-_][-_A-Za-z0-9]{16,}"), mark],
  [form("(?:secret|ntn)_[A-Za-z0-9]{30,}"), mark],
  [form("(?:dapi|sbp_|key-|SK|AC)[0-9a-f]{32}"), mark],
  [form("(?:hv[sbr]\\.|dp\\.[a-z]{2,5}\\.|ATATT3|EAAA)[-_=A-Za-z0-9]{20,}"), mark],
  [form("(?:AKIA|ASIA)[A-Z0-9]{16}\\b"), mark],
  [form("(?:AIza|AGE-SECRET-KEY-|ya29\\.|SG\\.|\\d{6,12}:AA)[-_.A-Za-z0-9]{20,}"), mark],
  [form("eyJ[-_A-Za-z0-9]{8,}(?:\\.[-_A-Za-z0-9]*){0,4}"), mark],
  [/\bpw[a-z]?_[0-9a-f]{6,}[-_0-9A-Za-z]*/g, mark],
  // Places that hold nothing but secrets.
  [new RegExp(`(://[^\\s/:@"'\`]{0,200}:)${not}[^\\s"'\`]{1,500}@`, "g"), `$1${mark}@`],
  [/(:\/\/)[-_A-Za-z0-9]{16,}@/g, `$1${mark}@`],
  [/(\/(?:services|api\/webhooks)\/)[-\w]+\/[-\w/]{8,}/g, `$1${mark}`],
  [new RegExp(`\\b((?:Bearer|Basic|Digest)\\s+)${not}[-_+/=.~A-Za-z0-9]{8,}`, "gi"), `$1${mark}`],
  [new RegExp(`(\\bcookie:\\s*)${not}[^\\s"'][^"'\\n]*`, "gi"), `$1${mark}`],
  [
    new RegExp(`(\\s(?:-u|-U|--user|--proxy-user)[ =]?["']?[^\\s:"'/]{1,100}:)(?!\\d+(?:\\s|$))${value}`, "g"),
    `$1${mark}`,
  ],
  ...[
    "\\bsshpass\\s+-p\\s*",
    option("mysql\\w*|7z[arz]?", "-p"),
    option("mongo\\w*", "-p ?"),
    option("(?:docker|podman|nerdctl|buildah|skopeo|helm|oc|az)[^\\n|;&]{0,200}?\\slogin", "-p[ =]?"),
    option("redis-cli", "-a\\s+"),
    option("(?:un)?zip", "-P ?"),
    option("ldap\\w+", "-w ?"),
    option("(?:smb|rpc)client|net", "-U ?[^\\s%\"']{1,100}%"),
    option("openssl", "-[kK]\\s+"),
    "\\s-pass(?:in|out)?\\s+pass:",
    "\\bhtpasswd\\s+-\\w{0,5}b\\w{0,5}\\s+\\S{1,300}\\s+\\S{1,100}\\s+",
    "\\bnet\\s+user\\s+\\S{1,100}\\s+(?!/)",
    "\\s--from-literal[= ][\"']?[^\\s=\"']{1,100}=",
    "(?:^|[\\s('│])[\\w.*-]{1,100}:(?:\\d{4,5}|\\*):[\\w.*-]{1,60}:[\\w.@*-]{1,60}:",
  ].map((before): readonly [RegExp, string] => [new RegExp(`(${before})${value}`, "g"), `$1${mark}`]),
  // What is printed into a program that reads a secret there.
  [
    new RegExp(
      `(\\b(?:echo|printf)\\s+(?:-\\w{1,3}\\s+)?)${value}` +
        "(?=[^\\n|]{0,100}\\|[^\\n]{0,200}(?:-stdin\\b|\\bsudo\\s[^\\n]{0,50}-\\w{0,5}S|\\bchpasswd\\b|--with-token\\b|passphrase-fd))",
      "g",
    ),
    `$1${mark}`,
  ],
  // Codes that are good for a minute.
  [
    /(\b(?:your|verification|security|confirmation|one-time|login|sms|2fa|otp|auth\w{0,20})[ -](?:pass)?code(?:\s+is)?:?\s+)\d[\d -]{2,10}\d/gi,
    `$1${mark}`,
  ],
  [new RegExp(`(\\b(?:machine|login)\\s[^\\n]{0,200}?\\bpassword\\s+)${value}`, "g"), `$1${mark}`],
];

function form(pattern: string): RegExp {
  return new RegExp(`\\b${pattern}${more}`, "g");
}

/** A program's option, in one command. */
function option(programs: string, flag: string): string {
  return `\\b(?:${programs})\\s(?:[^\\n|;&]{0,300}?\\s)?${flag}`;
}
