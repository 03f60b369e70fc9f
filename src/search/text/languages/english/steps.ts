// The steps of an English request: "translate a PDF, summarise it and send it to Slack".

/** What is done in a step. A part that begins with none of these goes on with what was said before. */
const VERBS =
  'add|analy[sz]e|annotate|answer|ask|book|build|buy|calculate|capture|categori[sz]e|chart|check|classify|clean|collect|compare|compose|compress|compute|convert|count|crawl|create|crop|deploy|describe|detect|download|draft|draw|e-?mail|encrypt|estimate|evaluate|execute|extract|fetch|find|forecast|format|generate|geocode|get|identify|import|list|look up|measure|merge|mint|moderate|monitor|notify|obtain|optimi[sz]e|order|parse|pay|pin|plan|plot|post|predict|print|proofread|publish|read|recommend|record|remind|remove|render|reply|report|rewrite|resize|retrieve|reserve|run|save|scan|schedule|scrape|score|search|send|share|show|sign|solve|sort|split|store|suggest|summari[sz]e|swap|tell|test|text|track|transcribe|transfer|translate|tweet|upload|validate|verify|visuali[sz]e|write'
const LEAD =
  '(?:(?:and|first|then|next|also|finally|lastly|afterwards|please|after that|in addition|additionally|i (?:also )?(?:need|want|would like)(?: you)? to|can you|could you|let me|help me(?: to)?)[, ]+)*'
const BORDER = new RegExp(
  `(?:[.;!?]\\s+|,\\s*(?:and |then |and then )?|\\s+(?:and then|then|and)\\s+)(?=${LEAD}(?:${VERBS})(?![a-z]))`,
  'giu',
)
const BEGINS = new RegExp(`^\\s*${LEAD}(?:${VERBS})(?![a-z])`, 'iu')

/** The steps of a request in order; fewer than two where it is one. */
export function toEnglishSteps(text: string): string[] {
  const parts = text.split(BORDER).map(part => part.trim())
  // A verb without an object shares that of the next: read and write files.
  return parts.some(part => /^\p{L}+$/u.test(part)) ? [] : parts.filter(part => BEGINS.test(part))
}
