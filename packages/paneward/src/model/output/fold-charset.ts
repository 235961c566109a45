/** Which characters ASCII letters mean: themselves, or the lines that boxes are drawn with. */
export class Charset {
  isShifted = false;
  #g0 = false;
  #g1 = false;

  get drawsLines(): boolean {
    return this.isShifted ? this.#g1 : this.#g0;
  }

  set drawsLines(on: boolean) {
    this.isShifted = false;
    this.#g0 = on;
    this.#g1 = false;
  }

  /** `ESC ( 0` and its like. */
  choose(slot: string, set: string): void {
    if (slot === "(") this.#g0 = set === "0";
    if (slot === ")") this.#g1 = set === "0";
  }

  drawn(run: string): string {
    return this.drawsLines ? run.replace(/[`-~]/g, (char) => lines[char.charCodeAt(0) - 96] ?? char) : run;
  }
}

// DEC's line drawing, from ` to ~.
const lines = [..."◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·"];
