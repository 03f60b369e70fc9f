// Invisible characters: where they shape the text around them, where they only hide something, and where they control what displays them.

/** Unicode's list of invisible characters (fillers, joiners, selectors, tags), and two that are drawn as blanks. */
const BLANK = /^[\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]*$/u
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u

/** Flags of regions are spelled in tag characters. Any other use is text for machines that no reader notices. */
const FLAG = /\p{RGI_Emoji_Tag_Sequence}/gv
const TAG = /[\u{e0000}-\u{e007f}]/u
/** A variation selector applies to the character before it: a second one, or one after a blank, carries hidden data. */
const STRAY_SELECTOR = /(?<![^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u
/** Longer than any script needs: a message encoded in invisible characters. */
const HIDDEN_RUN = /\p{Default_Ignorable_Code_Point}{5}/u

/** Where an invisible character changes the visible text. */
const SHAPING = new RegExp(
  [
    // Joined emoji and their style: ❤️, 👩‍🔧, 1️⃣.
    String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
    String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
    // Variants of ideographs, symbols and letters; the alphabets that are confused most have none.
    String.raw`(?<=[^\p{ASCII}\p{Nd}\p{Z}\p{C}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Zinh}\p{Default_Ignorable_Code_Point}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`,
    String.raw`(?<=\p{sc=Mong})[\u180b-\u180f]`,
    // Joined or separate letters, as in Persian and Hindi.
    String.raw`(?<=[[\p{L}\p{M}]--[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Zyyy}\p{sc=Zinh}]]|\p{scx=Arab})[\u200c\u200d]`,
    // Line break opportunities, in scripts without spaces.
    String.raw`(?<=[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}\p{sc=Java}\p{sc=Bali}])[\u200b\u2060]`,
  ].join('|'),
  'gv',
)
const RIGHT_TO_LEFT =
  /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Samr}\p{sc=Mand}\p{sc=Adlm}\p{sc=Rohg}]/u
const DIRECTION_MARKS = /[\u061c\u200e\u200f]/g

/** More marks on one letter than any script needs: stacked, they cover the lines above and below. */
const MARKS_IN_A_ROW = 12
const STACKED = new RegExp(
  String.raw`(?:\p{M}[\p{Default_Ignorable_Code_Point}--\p{M}]*){${MARKS_IN_A_ROW + 1}}`,
  'v',
)

export const isStacked = (text: string): boolean => STACKED.test(text)

/** Returns whether nothing is visible; a mark needs a letter to be drawn on. */
export const isBlank = (text: string): boolean => BLANK.test(text)

/** The first character of a description that hides something, like `U+E0041`; undefined if there is none. */
export function hiddenIn(text: string): string | undefined {
  if (!UNSEEN.test(text)) return undefined
  const rest = text.replace(FLAG, '')
  return toCode((TAG.exec(rest) ?? STRAY_SELECTOR.exec(rest) ?? HIDDEN_RUN.exec(rest))?.[0])
}

/** The same for names and other short texts, which people tell apart by sight: invisible characters must shape visible ones. */
export function hiddenInName(text: string): string | undefined {
  if (!UNSEEN.test(text)) return undefined
  const bare = text.replace(FLAG, '').replace(SHAPING, '')
  const rest = RIGHT_TO_LEFT.test(text) ? bare.replace(DIRECTION_MARKS, '') : bare
  return toCode(UNSEEN.exec(rest)?.[0]) ?? hiddenIn(text)
}

/** Like `U+202E`. */
export const toCode = (character: string | undefined): string | undefined =>
  character && `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`

// Characters that control whatever displays them: a terminal, the order of the text around them.

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
