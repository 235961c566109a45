// Imitates the output of well-known programs, with their escape sequences. `node imitations.ts NAME`.
const csi = "\u001b[";
const print = (text: string) => process.stdout.write(text);

const bar = (done: number, of: number, width: number, full = "=", tip = ">", rest = " ") => {
  const filled = Math.floor((done / of) * width);
  return full.repeat(filled) + (filled < width ? tip : "") + rest.repeat(Math.max(0, width - filled - 1));
};

const imitations: Readonly<Record<string, () => void>> = {
  /** Layers pulled in parallel: up to the layer's line, erase, print, down again. */
  docker() {
    const layers = ["4f4fb700ef54", "a2abf6c4d29d", "e1acddbe380c", "b7f91549542c", "d7b6c6a4b5c1"];
    print("latest: Pulling from library/postgres\n");
    for (const layer of layers) print(`${layer}: Pulling fs layer\n`);
    const draw = (at: number, text: string) => {
      const up = layers.length - at;
      print(`${csi}${up}A${csi}2K\r${layers[at]}: ${text}\r${csi}${up}B`);
    };
    for (let step = 0; step <= 100; step++) {
      layers.forEach((_, at) => {
        const done = step * (at + 1);
        if (done < 100) draw(at, `Downloading [${bar(done, 100, 50)}] ${done}.1MB/100.0MB`);
        else if (done < 100 + at + 1) draw(at, "Pull complete");
      });
    }
    print("Digest: sha256:0d9f8a\nStatus: Downloaded newer image for postgres:latest\n");
  },

  /** Compiler lines above a bar that is erased and redrawn below them. */
  cargo() {
    const crates = Array.from({ length: 60 }, (_, at) => `crate-${at}`);
    crates.forEach((crate, at) => {
      print(`\r${csi}K${csi}1m${csi}32m   Compiling${csi}0m ${crate} v0.${at}.0\n`);
      for (let frame = 0; frame < 4; frame++) {
        const names = crates.slice(at, at + 3).join(", ");
        print(`${csi}1m${csi}36m    Building${csi}0m [${bar(at, 60, 25)}] ${at}/60: ${names}${csi}K\r`);
      }
    });
    print(`${csi}K${csi}1m${csi}32m    Finished${csi}0m \`dev\` profile in 12.34s\n`);
  },

  /** A bar of thin lines in true colours, with the cursor hidden. */
  pip() {
    print("Collecting numpy\n  Downloading numpy-2.3.4.whl (16.6 MB)\n");
    print(`${csi}?25l`);
    for (let done = 0; done <= 166; done += 2) {
      const filled = Math.floor((done / 166) * 40);
      const colours = `${csi}38;2;249;38;114m${"━".repeat(filled)}${csi}38;5;237m${"━".repeat(40 - filled)}${csi}0m`;
      print(`\r${csi}2K     ${colours} ${csi}32m${(done / 10).toFixed(1)}/16.6 MB${csi}0m ${csi}31m9.9 MB/s${csi}0m`);
    }
    print(`\n${csi}?25hInstalling collected packages: numpy\nSuccessfully installed numpy-2.3.4\n`);
  },

  /** Lines that scroll above a status row, which a scroll region keeps at the bottom. */
  apt() {
    const rows = process.stdout.rows ?? 30;
    print(`\n\u001b7${csi}0;${rows - 1}r\u001b8${csi}1A`);
    for (let at = 0; at < 80; at++) {
      print(`Unpacking lib${at} (1.${at}) ...\n`);
      print(`\u001b7${csi}${rows};0f${csi}42m${csi}30mProgress: [${String(at).padStart(3)}%]${csi}49m${csi}39m [`);
      print(`${bar(at, 80, 40, "#", "#", ".")}] \u001b8`);
    }
    print(`\u001b7${csi}0;${rows}r\u001b8${csi}1A${csi}J\nProcessing triggers for libc-bin ...\n`);
  },

  /** An agent that draws below its transcript: a block of lines is erased and redrawn. */
  agent() {
    let height = 0;
    const draw = (lines: readonly string[]) => {
      if (height > 0) print(`${csi}2K${`${csi}1A${csi}2K`.repeat(height - 1)}${csi}G`);
      print(lines.join("\n"));
      height = lines.length;
    };
    const box = (text: string) => [`╭${"─".repeat(40)}╮`, `│ > ${text.padEnd(36)} │`, `╰${"─".repeat(40)}╯`];
    print(`${csi}?25l${csi}?2004h`);
    for (let turn = 1; turn <= 6; turn++) {
      for (let frame = 0; frame < 40; frame++) {
        const spinner = [..."✻✽✶∗✢·"][frame % 6] ?? "";
        draw([`${csi}38;5;174m${spinner} Pondering… (${frame}s · esc to interrupt)${csi}39m`, "", ...box("")]);
      }
      draw([`${csi}1m● Turn ${turn}${csi}22m: I read ${turn} files 漢字 👍`, "", ...box("")]);
      draw([`● Turn ${turn}: I read ${turn} files 漢字 👍`, "", "", ...box("")]);
      print(`${csi}2K${`${csi}1A${csi}2K`.repeat(3)}${csi}G`);
      height = 0;
    }
    draw(["Do you want to edit main.ts?", `${csi}34m❯ 1. Yes${csi}39m`, "  2. No, tell me what to do", "", ...box("")]);
  },

  /** An agent that owns the whole screen and draws only what changes. */
  "agent-fullscreen"() {
    const rows = process.stdout.rows ?? 30;
    print(`hello from the shell\n${csi}?1049h${csi}?25l${csi}2J${csi}H`);
    for (let row = 1; row <= rows; row++) print(`${csi}${row};1H${csi}48;5;235m${csi}K│ line ${row}`);
    for (let frame = 0; frame < 500; frame++) {
      print(`${csi}${rows};3H${csi}1m${[..."⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"][frame % 10]} thinking ${frame}${csi}22m`);
      if (frame % 50 === 0) print(`${csi}2;${rows - 2}r${csi}${rows - 2};1H\n│ step ${frame / 50}${csi}r`);
    }
    print(`${csi}5;1H${csi}K│ May I run npm test? ${csi}7my${csi}27m/n`);
  },

  "agent-fullscreen-left"() {
    imitations["agent-fullscreen"]?.();
    print(`${csi}?1049l${csi}?25hgoodbye\n`);
  },

  colours() {
    for (let line = 0, bytes = 0; bytes < 1_048_576; line++) {
      let text = `${line} `;
      for (let word = 0; word < 10; word++) {
        const [r, g, b] = [(line * 7 + word) % 256, (line * 13) % 256, (word * 29) % 256];
        text += `${csi}${word % 2 === 0 ? `38;2;${r};${g};${b}` : `1;3${word % 8}`}mword${word}${csi}0m `;
      }
      bytes += text.length + 1;
      print(`${text}\n`);
    }
  },

  characters() {
    const words = [
      "漢字かな交じり文",
      "한국어",
      "👍🏽",
      "👩‍💻",
      "❤️",
      "e\u0301a\u0308",
      "ｆｕｌｌ",
      "שלום",
      "╭─╮",
      "\tx",
      "🇩🇪",
      "plain",
    ];
    for (let line = 0; line < 300; line++) {
      const count = (line * 5) % 23;
      print(`${line}: ${Array.from({ length: count }, (_, at) => words[(line + at * at) % words.length]).join(" ")}\n`);
      if (line % 10 === 0) print("漢字を消す\rカナ\n");
    }
  },
};

imitations[process.argv[2] ?? ""]?.();
