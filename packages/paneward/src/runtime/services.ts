/** Parts of the daemon that others look up by name. */
export class Services<Named extends Readonly<Record<string, object>>> {
  readonly #named: Named;

  constructor(named: Named) {
    this.#named = named;
  }

  get<Name extends keyof Named>(name: Name): Named[Name] {
    return this.#named[name];
  }

  names(): readonly (keyof Named)[] {
    return Object.keys(this.#named);
  }
}
