/**
 * Values of strangers as literals of a language, so that nothing breaks out of them: not a quote, not a line separator, not a
 * character that turns the text around it round or steers a terminal it is pasted into.
 */

/** Controls, format characters such as bidirectional ones, halves of pairs, and the line separators that JSON lets through. */
const UNSEEN = /[\p{C}\u2028\u2029]/gu

const inUnits = (unseen: string): string =>
  Array.from({ length: unseen.length }, (_, i) => hex('\\u', unseen.charCodeAt(i), 4)).join('')

const hex = (prefix: string, code: number, digits: number): string =>
  prefix + code.toString(16).padStart(digits, '0')

type Language = {
  readonly text: (text: string) => string
  /** The key of an object. */
  readonly key: (name: string) => string
  readonly true: string
  readonly false: string
  readonly null: string
}

/** Also valid JSON. */
export const jsonText = (text: string): string => JSON.stringify(text).replace(UNSEEN, inUnits)

const JSON_WORDS = { true: 'true', false: 'false', null: 'null' }
const AS_JSON: Language = { ...JSON_WORDS, text: jsonText, key: jsonText }
const TYPESCRIPT: Language = {
  ...JSON_WORDS,
  text: jsonText,
  // As a plain key it would set the prototype.
  key: name => (name === '__proto__' ? '["__proto__"]' : jsonText(name)),
}
const pythonText = (text: string): string =>
  // Python has no pairs of units: a character beyond the first plane is one escape, and half of one is no text that can be sent.
  JSON.stringify(text.toWellFormed()).replace(UNSEEN, unseen => {
    const code = unseen.codePointAt(0)!
    return code > 0xffff ? hex('\\U', code, 8) : hex('\\u', code, 4)
  })
const PYTHON: Language = { text: pythonText, key: pythonText, true: 'True', false: 'False', null: 'None' }

/** @param indent of the line that the literal begins on */
const toLiteral =
  (language: Language) =>
  (value: unknown, indent = ''): string => {
    const write = (value: unknown, indent: string): string => {
      if (typeof value === 'string') return language.text(value)
      if (typeof value === 'number') return Number.isFinite(value) ? String(value) : language.null
      if (typeof value === 'boolean') return value ? language.true : language.false
      if (typeof value !== 'object' || value === null) return language.null
      const inner = `${indent}  `
      const items = Array.isArray(value)
        ? value.map(item => write(item, inner))
        : Object.entries(value).map(([name, item]) => `${language.key(name)}: ${write(item, inner)}`)
      const [open, close] = Array.isArray(value) ? '[]' : '{}'
      if (items.length === 0) return `${open}${close}`
      return `${open}\n${items.map(item => `${inner}${item}`).join(',\n')}\n${indent}${close}`
    }
    return write(value, indent)
  }

export const toTypeScript = toLiteral(TYPESCRIPT)
export const toPython = toLiteral(PYTHON)
export const toJson = toLiteral(AS_JSON)

/**
 * One word of a shell. Inside single quotes nothing has a meaning, but for a backslash in front of a quote or of another backslash in
 * fish: those stand outside of the quotes. A control character would still reach a terminal.
 */
export const toShell = (text: string): string =>
  `'${text
    .toWellFormed()
    .replace(CONTROLS, '')
    .replace(/\\+(?=['\\]|$)|'/g, special => `'${special.replace(/./g, '\\$&')}'`)}'`

const CONTROLS = /(?![\n\t])[\p{C}\u2028\u2029]/gu
