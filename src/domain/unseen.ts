// Characters that nobody sees and that steer whatever shows them: a terminal, the order of the text around them.

/** Controls of both sets, format characters such as bidirectional ones and tags, line separators, halves of pairs. */
const STEERING = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
/** Scripts and emoji need joiners, and they steer nothing. */
const JOINERS = '\u200c\u200d'

const replaceUnseen = (text: string, kept: string, shown: (unseen: string) => string): string =>
  text.replace(STEERING, unseen => (kept.includes(unseen) ? unseen : shown(unseen)))

/** For a place on one line. */
export const toOneLine = (text: string): string => replaceUnseen(text, JOINERS, () => '\ufffd')

/** For text of several lines. */
export const toLines = (text: string): string => replaceUnseen(text, `${JOINERS}\n\t`, () => '\ufffd')

/** The same JSON with all of them written out. In JSON a newline only ever stands between values. */
export const toVisibleJson = (json: string): string =>
  replaceUnseen(json, `${JOINERS}\n`, unseen =>
    Array.from({ length: unseen.length }, (_, i) => {
      const unit = unseen.charCodeAt(i)
      return `\\u${unit.toString(16).padStart(4, '0')}`
    }).join(''),
  )
