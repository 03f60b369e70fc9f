// Text in a header: only printable ASCII is safe with every client, so the rest is percent-encoded as UTF-8.

const MAX_LENGTH = 1024

const encode = (text: string): string =>
  text.toWellFormed().replace(/[^\x20-\x7e]|%/gu, character => encodeURIComponent(character))

/** Sentences in one header, joined by `%0A`, cut between characters: a partial escape would spoil the text. */
export function toNoticeHeader(notices: readonly string[]): string {
  let text = ''
  for (const character of notices.join('\n')) {
    const next = encode(character)
    if (text.length + next.length > MAX_LENGTH) break
    text += next
  }
  return text
}

/** Field paths, separated by commas; `...` replaces those that do not fit. */
export function toFieldsHeader(fields: readonly string[]): string {
  let text = ''
  for (const field of fields) {
    const next = `${text === '' ? '' : ', '}${encode(field).replaceAll(',', '%2C')}`
    if (text.length + next.length > MAX_LENGTH) return text === '' ? '...' : `${text}, ...`
    text += next
  }
  return text
}
