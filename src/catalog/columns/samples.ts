// Which slots hold invented samples; few, if any.
export class Samples {
  readonly #slots = new Set<number>()

  get count(): number {
    return this.#slots.size
  }

  write(slot: number, isSample: boolean): void {
    if (isSample) this.#slots.add(slot)
    else this.#slots.delete(slot)
  }

  release(slot: number): void {
    this.#slots.delete(slot)
  }

  slots(): number[] {
    return [...this.#slots]
  }
}
