// Conversions as English tells them, by words between: pdf to markdown, speech from text, html2pdf, XML → YAML.
import type { Conversion } from '../language.ts'

/** What has letters of both kinds in one name, or a digit for the word between. */
const CAMEL = /([a-z0-9])([A-Z])/g
const DIGIT = /(?<![\p{L}\p{N}])(\p{L}{2,12})[24](\p{L}{2,12})(?![\p{L}\p{N}])/gu
const ARROW = /[-=]>|[→⇒➡]/g
const CLAUSE_END = /[.,;:!?()\n。、]+/
const ARTICLES = new Set(['a', 'an', 'the', 'any', 'your', 'my', 'its', 'their'])
/** So many words on each side may name what is converted. */
const REACH = 2

const isToward = (word: string | undefined): boolean => word === 'to' || word === 'into'

function toWords(clause: string): string[] {
  const words = clause.toLowerCase().split(/[^\p{L}\p{M}\p{N}+#]+/u)
  return words.filter(word => word !== '' && !ARTICLES.has(word))
}

export function toEnglishConversions(text: string): Conversion[] {
  const plain = text.replace(ARROW, ' to ').replace(CAMEL, '$1 $2').replace(DIGIT, '$1 to $2')
  const found: Conversion[] = []
  for (const clause of plain.split(CLAUSE_END)) {
    const words = toWords(clause)
    for (let i = 1; i < words.length - 1; i++) {
      const before = words.slice(Math.max(0, i - REACH), i)
      const after = words.slice(i + 1, i + 1 + REACH)
      if (isToward(words[i])) found.push({ from: before, to: after })
      // From one to the other tells both by itself.
      else if (words[i] === 'from' && !words.slice(i + 2, i + 4).some(isToward))
        found.push({ from: after, to: before })
    }
  }
  return found
}
