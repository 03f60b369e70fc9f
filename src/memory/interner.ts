/** Assigns a small number to each distinct text, so that a column of texts becomes a column of numbers. */
export class Interner {
  #numbers = new Map<string, number>()
  texts: string[] = []

  number(text: string): number {
    let number = this.#numbers.get(text)
    if (number === undefined) {
      number = this.texts.length
      this.#numbers.set(text, number)
      this.texts.push(text)
    }
    return number
  }

  /** Returns undefined if the text never occurred. */
  find(text: string): number | undefined {
    return this.#numbers.get(text)
  }
}
