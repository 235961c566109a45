/** What people said in one conversation, as each request repeats it. */
export class Conversation {
  #said: readonly string[] = [];

  /** What is new: several prompts may come at once. Of another conversation, or a shortened one, the last. */
  fresh(said: readonly string[]): readonly string[] {
    const goesOn = this.#said.length > 0 && this.#said.every((text, at) => said[at] === text);
    const fresh = goesOn ? said.slice(this.#said.length) : said.slice(-1);
    this.#said = said;
    return fresh;
  }
}
