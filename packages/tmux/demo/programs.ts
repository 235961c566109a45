export interface Program {
  readonly name: string;
  readonly argv: readonly string[];
}

/** Three programs that end in three ways. */
export const programs: readonly Program[] = [
  { name: "counts", argv: ["sh", "-c", "for n in 1 2 3 4 5; do echo step $n of 5; sleep 0.4; done; echo finished"] },
  { name: "rings", argv: ["sh", "-c", "sleep 0.6; printf 'I need you\\a\\n'; sleep 0.6; echo giving up; exit 3"] },
  { name: "dies", argv: ["sh", "-c", "echo my pid is $$; sleep 1.5; kill -KILL $$"] },
];
