// Invisible characters that control whatever displays them: a terminal, the order of the text around them.

/** C0 and C1 controls, format characters (bidirectional ones and tags included), line separators, lone surrogates. */
const CONTROLLING = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
/** Scripts and emoji need joiners, and they control nothing. */
const JOINERS = '\u200c\u200d'

const replaceUnseen = (text: string, allowed: string, replace: (unseen: string) => string): string =>
  text.replace(CONTROLLING, unseen => (allowed.includes(unseen) ? unseen : replace(unseen)))

/** For a single line. */
export const toOneLine = (text: string): string => replaceUnseen(text, JOINERS, () => '\ufffd')

/** For text of several lines. */
export const toLines = (text: string): string => replaceUnseen(text, `${JOINERS}\n\t`, () => '\ufffd')

/** The same JSON with all of them escaped. In JSON a newline only occurs between values. */
export const toVisibleJson = (json: string): string =>
  replaceUnseen(json, `${JOINERS}\n`, unseen =>
    Array.from({ length: unseen.length }, (_, i) => {
      const unit = unseen.charCodeAt(i)
      return `\\u${unit.toString(16).padStart(4, '0')}`
    }).join(''),
  )
