import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Question } from "@paneward/sdk";
import { fuzz, type Random } from "../../../tmux/test/support/random.ts";
import type { Fact } from "../../src/model/notify/notice.ts";
import { withoutSecrets } from "../../src/model/notify/redact.ts";
import { digestWords, wordsOf } from "../../src/model/notify/wording.ts";

type Secret = readonly [text: string, secret: string];

test("no part of a secret is left, whatever words are around it", async () => {
  await fuzz((random) => {
    const [kind, make] = random.pick(Object.entries(makers));
    const [text, secret] = make(random);
    const { text: clean, isChanged } = withoutSecrets(random.pick(around)(text));
    assert.ok(isChanged, `${kind}: ${text}`);
    const left = pieces(secret).find((piece) => clean.includes(piece));
    assert.equal(left, undefined, `${kind}: of ${JSON.stringify(text)} is left ${JSON.stringify(clean)}`);
    assert.equal(withoutSecrets(clean).text, clean, "a second look changes nothing");
  }, 3_000);
});

const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const letters = `${capitals}abcdefghijklmnopqrstuvwxyz0123456789`;

function some({ pick }: Random, length: number, of = letters): string {
  return Array.from({ length }, () => pick([...of])).join("");
}

const made =
  (prefixes: readonly string[], length: number, of = letters) =>
  (random: Random): Secret => {
    const secret = `${random.pick(prefixes)}${some(random, length, of)}`;
    return [secret, secret];
  };

const put =
  (texts: readonly string[], secrets: readonly string[]) =>
  ({ pick }: Random): Secret => {
    const secret = pick(secrets);
    return [pick(texts).replace("HIDDEN", () => secret), secret];
  };

const words = [
  "hunter22",
  "P@ss:w/rd1",
  "corr,ect;ho&rse",
  "a)b(c]d",
  "p%40ss",
  "x$y{z}w",
  "日本語パスワード",
  "s3cr3t!",
];
const sentences = ["correct horse battery", "a b c d", "x;y z, w"];

const makers: Readonly<Record<string, (random: Random) => Secret>> = {
  github: made(["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"], 36),
  gitlab: made(["glpat-"], 20, `${letters}-_`),
  aws: made(["AKIA", "ASIA"], 16, `${capitals}234567`),
  model: made(["sk-", "sk-proj-", "sk-ant-api03-"], 48, `${letters}-_`),
  stripe: made(["sk_live_", "rk_test_"], 24),
  google: made(["AIza", "ya29."], 36, `${letters}-_`),
  npm: made(["npm_", "hf_", "tk_"], 30),
  slack: made(["xoxb-123456789012-", "xapp-1-"], 24),
  telegram: made(["123456789:AA"], 33, `${letters}-_`),
  signing: made(["whsec_"], 32, `${letters}+/`),
  hosting: made(["hvs.", "lin_api_", "ntn_", "dp.pt.", "ATATT3xFf", "EAAAE", "fm2_", "lsv2_pt_"], 36),
  hexadecimal: made(["dapi", "sbp_", "key-", "SK", "AC", "NRAK-"], 32, "0123456789abcdef"),
  own: (random) => made([`pw_${some(random, 8, "0123456789abcdef")}_`], 32)(random),
  jwt: (random) => {
    const secret = `eyJ${some(random, 30)}.eyJ${some(random, 40, `${letters}-_`)}.${some(random, 43, `${letters}-_`)}`;
    return [secret, secret];
  },
  sendgrid: (random) => {
    const secret = `SG.${some(random, 22)}.${some(random, 43)}`;
    return [secret, secret];
  },
  wrapped: (random) => {
    const [first, second] = [some(random, 20), `7${some(random, 20)}`];
    return [`ghp_${first}\n${second}`, second];
  },
  pem: (random) => {
    const kind = random.pick(["RSA ", "", "OPENSSH ", "ENCRYPTED "]);
    const secret = `${some(random, 64)}\n${some(random, 64)}`;
    return [`-----BEGIN ${kind}PRIVATE KEY-----\n${secret}\n-----END ${kind}PRIVATE KEY-----`, secret];
  },
  pgp: (random) => {
    const secret = some(random, 64);
    return [`-----BEGIN PGP PRIVATE KEY BLOCK-----\n${secret}\n`, secret];
  },
  alone: put(
    ["HIDDEN", "https://HIDDEN@github.com/a/b.git", "echo HIDDEN | base64 -d"],
    ["kmYufrc7T9RcDxAvdmtw2pdfi0XsEdBoq20+cleQRcZc", "eCXAQlGqhBXtpEMR22wBxcEF9aqSxkcbssW8"],
  ),
  inAddress: put(
    ["https://me:HIDDEN@host/x", "postgres://a.b:HIDDEN@db.example.org:5432/x", "redis://:HIDDEN@host"],
    ["hunter22", "p%40ss", "p/w1234", "p@w1234", "a)b(c", "Tr0ub4dor&3"],
  ),
  inQuery: put(
    ["token", "api_key", "access_token", "key", "sig", "password"].map(
      (name) => `https://x.example/a?${name}=HIDDEN&b=1`,
    ),
    ["NQNDBjn4jbea", "hunter22"],
  ),
  hook: put(
    ["https://hooks.slack.com/services/T0abc/B0abc/HIDDEN", "https://discord.com/api/webhooks/123456789012/HIDDEN"],
    ["3YLbzZ3CafKL9B3fivVJDDdS"],
  ),
  variable: put(
    [
      ...[
        "DB_PASSWORD=",
        "PGPASSWORD=",
        "MYSQL_PWD=",
        "SECRET_KEY_BASE=",
        "STRIPE_KEY=",
        "AUTH_TOKEN: ",
        "DB_PASS=",
        "KEY=",
      ],
      ...["password = ", "pwd: ", "my.api.key=", "client-secret: ", "accessToken:", "GITHUB_PAT=", "SSH_PASSPHRASE="],
      ...["export FOO=1 PASS=", "db:\n  password: ", "Host=a;Password="],
    ].map((name) => `${name}HIDDEN`),
    words,
  ),
  quotedVariable: put(
    [
      'DB_PASSWORD="HIDDEN"',
      "password: 'HIDDEN'",
      "API_TOKEN='HIDDEN'",
      '{"apiKey": "HIDDEN", "x": 1}',
      'x = {"token":"HIDDEN"}',
    ],
    [...sentences, "hunter22"],
  ),
  flag: put(
    ["--password", "--token", "--db-password", "--auth-token", "--pass"].flatMap((name) => [
      `x ${name}=HIDDEN`,
      `x ${name} HIDDEN`,
    ]),
    words,
  ),
  program: put(
    [
      "curl -u me:HIDDEN https://x",
      "mysql -uroot -pHIDDEN db",
      "sshpass -p HIDDEN ssh host",
      "sshpass -p 'HIDDEN' ssh host",
      "docker login -u me -p HIDDEN registry.example",
      "mongosh --username me -p HIDDEN",
      "redis-cli -h host -a HIDDEN",
      "zip -P HIDDEN a.zip b",
      "7z a -pHIDDEN a.7z b",
      "unzip -P 'HIDDEN' a.zip",
      "ldapsearch -D cn=admin -w HIDDEN",
      "smbclient //host/share -U me%HIDDEN",
      "htpasswd -b file me HIDDEN",
      "htpasswd -bB file me 'HIDDEN'",
      "openssl enc -aes-256-cbc -k HIDDEN -in a",
      "openssl rsa -passin pass:HIDDEN -in a",
      "net user me HIDDEN /add",
      "kubectl create secret generic x --from-literal=a=HIDDEN",
      "echo HIDDEN | sudo -S reboot",
      "echo 'HIDDEN' | docker login --password-stdin",
      "printf HIDDEN | gh auth login --with-token",
      "echo me:HIDDEN | chpasswd",
      "aws configure set aws_secret_access_key HIDDEN",
      "set -x MY_TOKEN HIDDEN",
      "<password>HIDDEN</password>",
      "localhost:5432:db:me:HIDDEN",
    ],
    ["hunter22", "q77Qm24ae", "a)b(c]d"],
  ),
  code: put(
    ["Your code is HIDDEN", "Verification code: HIDDEN", "the one-time code HIDDEN", "2FA code: HIDDEN"],
    ["482913"],
  ),
  header: put(
    [
      "Authorization: Bearer",
      "authorization: token",
      "Authorization: Basic",
      "X-Api-Key:",
      "PRIVATE-TOKEN:",
      "Cookie: sessionid=",
    ].map((name) => `curl -H '${name} HIDDEN' https://x`),
    ["2CCkyp31nkkoPV5xkZtJS47Qk7uWomoL", "hunter22hunter22"],
  ),
  said: put(
    [
      ...["the password is HIDDEN", "with passphrase HIDDEN", "use the token HIDDEN", "my password: HIDDEN"],
      ...["the encryption key is HIDDEN", "signing key HIDDEN"],
    ],
    ["hunter22!", "tR7abcQ"],
  ),
  netrc: put(["machine api.example.org login me password HIDDEN"], ["hunter", "Z4bxiVSlrI"]),
};

const around: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `run: ${text}`,
  (text) => `Do you want to run\n  ${text}\n?`,
  (text) => `(${text})`,
  (text) => `│ ${text} │`,
  (text) => `x ${text} , then`,
];

/** Any five letters in a row would help who guesses. */
function pieces(secret: string): readonly string[] {
  return Array.from({ length: Math.max(1, secret.length - 4) }, (_, at) => secret.slice(at, at + 5));
}

describe("what is no secret stays as it is, and with it the buttons:", () => {
  for (const text of [
    ...["npm test", "git commit -m 'fix the token parser'", "ls --all", "https://host:8080/path", "rm -rf build"],
    ...["git checkout 3f2a9c81d7e64b5f0a1c2d3e4f5061728394a5b6", "550e8400-e29b-41d4-a716-446655440000", "a@b.example"],
    ...["1. Yes\n2. Yes, and don't ask again for npm commands\n3. No", "kubectl get pods -n kube-system", "key: value"],
    ...["src/components/UserProfile/EditUserProfileDialogContainer.test.tsx", "AbstractSingletonProxyFactoryBean2"],
    ...[
      "python -m pytest tests/test_tokens.py::TestTokenParser::test_it",
      "Enter passphrase for key '/home/u/.ssh/id':",
    ],
    ...[
      "password reset flow: add tests",
      "the token is invalid",
      "max_tokens: 4096",
      "npm_config_registry=https://x.example",
    ],
    ...[
      "const key = Object.keys(map)[0];",
      "monkey=1 compass=north",
      "docker run -p 8080:80 -u 1000:1000 x",
      "ssh -p 2222 host",
    ],
    ...[
      "git push -u origin main",
      "git@github.com:a/b.git",
      "passed: 12, failed: 3",
      "token count: 1234",
      "bypass: true",
    ],
    ...["docker run -p 8080:80 nginx", "mkdir -p src/a1/b2", "echo hello1 | sort", "cp -a src1 dst2"],
    ...[
      "exited with code 3",
      "the error code is 10061",
      "set MY_TOKEN first",
      "src/a.ts:12:5:error:x1",
      "<key>name1</key>",
    ],
    ...["git log -p HEAD~2", "grep -w test1 a", "ssh-keygen -t ed25519 -f key-file", "echo yes1 | apt install x"],
  ]) {
    test(text.split("\n")[0] ?? "", () => assert.deepEqual(withoutSecrets(text), { text, isChanged: false }));
  }
});

test("no text takes long, however it is made", () => {
  const parts = [
    "mysql ",
    "://a:",
    "a://",
    "password=",
    'password="',
    " --token",
    " -u a",
    "a_",
    "<a>",
    "docker login ",
    "echo a |",
    " -p",
    "net user a ",
    "a:1234:",
    "eyJaaaaaaaaa.",
    "1",
    "A",
    "Bearer ",
  ];
  for (const part of parts) {
    const text = part.repeat(Math.ceil(50_000 / part.length));
    const began = performance.now();
    withoutSecrets(text);
    assert.ok(performance.now() - began < 2_000, part);
  }
});

describe("a secret leaves neither", () => {
  const secret = "ghp_abcdefghijklmnopqrst1234567890123456";
  const limits = { title: 200, body: 2_000, label: 60, buttons: 4 };
  const fact = { key: "question q1", kind: "question", words: "asks", question: "q1" } as const;
  const named: Fact = { ...fact, subject: { name: `push-${secret}` } };
  const question = {
    ...{ id: "q1", terminal: "t1", kind: "permission", text: "Run?", whole: true, proposal: { command: "npm test" } },
    options: [
      { number: 1, label: "Yes", does: "approve" },
      { number: 2, label: `No, and revoke ${secret}`, does: "deny" },
      { number: 3, label: "No", does: "deny" },
    ],
  } as unknown as Question;

  for (const text of ["none", "title", "full"] as const) {
    test(`in a name, with the text "${text}"`, () => {
      const told = JSON.stringify([
        wordsOf(named, question, { text, limits }),
        wordsOf({ ...named, words: `is lost: ${secret}` }, undefined, { text, limits }),
        digestWords([named, named], () => question, { text, limits }),
      ]);
      assert.doesNotMatch(told, /abcdefgh/);
    });
  }

  test("in a button", () => {
    const { options, body } = wordsOf(named, question, { text: "full", limits });
    assert.deepEqual(options, [{ number: 3, label: "No" }]);
    assert.doesNotMatch(body, /abcdefgh/);
  });
});
