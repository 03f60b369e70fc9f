// PostgreSQL rejects text that contains U+0000 or a lone surrogate, even as a parameter. A caller may look up any id, and must get the
// result that there is none.

/** A text that the server accepts. No id contains the replacement character, so the lookup finds nothing. */
export const toText = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text)

/** For `json_array_elements_text`. */
export const toTexts = (texts: readonly string[]): string =>
  JSON.stringify(texts.map(text => toText(text.toWellFormed())))
