// Finds a name by its sound in another script: コインゲッコー is coingecko.
import type { Lexicon } from '../index/lexicon.ts'
import type { Postings } from '../index/postings.ts'
import type { Analyzer } from '../text/analyzer.ts'
import { letterDistance, toSound } from '../text/sounds.ts'

/** The maximum share of letters that may differ between two spellings of a name. */
const MAX_LETTER_DISTANCE = 0.6
/** Spellings that differ more than this may be of different words even if they sound alike: ラーメン is not Lomenn. */
const SURE_LETTER_DISTANCE = 0.35

type Tests = Readonly<Record<'isOpen' | 'isMeant', (termId: number) => boolean>>

/**
 * @returns a function from a word to the id of the term in another script that sounds most like it. `isOpen` excludes terms
 * before they are compared; `isMeant` decides, for a known word, whether it can mean the term.
 */
export function createSoundLookup(lexicon: Lexicon, postings: Postings, { languages }: Analyzer) {
  const lettersOf = (word: string) => languages.ofWord(word).text.toLetters?.(word)
  return (word: string, { isOpen, isMeant }: Tests): number | undefined => {
    const letters = lettersOf(word)
    const sound = letters === undefined ? undefined : toSound(letters)
    if (sound === undefined) return undefined
    let best: number | undefined
    let least = MAX_LETTER_DISTANCE
    for (const termId of lexicon.soundingLike(sound)) {
      const term = lexicon.termAt(termId)
      if (postings.count(termId) === 0 || !isOpen(termId)) continue
      if (languages.ofWord(term) === languages.ofWord(word)) continue
      const distance = letterDistance(letters!, lettersOf(term) ?? '')
      if (distance > least || (distance === least && best !== undefined && lexicon.isBefore(best, termId)))
        continue
      if (distance > SURE_LETTER_DISTANCE && !isMeant(termId)) continue
      least = distance
      best = termId
    }
    return best
  }
}
