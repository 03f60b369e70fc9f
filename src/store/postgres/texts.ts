// PostgreSQL has no text with U+0000 in it or with half of a pair, and refuses to look for one. A caller may ask for any id, and is to
// be told that there is none.

/** A text that the server takes. No id holds what stands in the place of the others. */
export const toText = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text)

/** For `json_array_elements_text`. */
export const toTexts = (texts: readonly string[]): string =>
  JSON.stringify(texts.map(text => toText(text.toWellFormed())))
