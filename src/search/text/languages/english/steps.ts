// The steps of an English request: "translate a PDF, summarise it and send it to Slack".

/** The verbs of a step. A part that begins with none of these continues the one before. */
const VERBS =
  'add|alert|analy[sz]e|annotate|answer|archive|ask|blur|book|bridge|build|buy|calculate|call|caption|capture|categori[sz]e|chart|check|classify|clean|collect|compare|compose|compress|compute|convert|count|crawl|create|crop|cut|deploy|describe|detect|download|draft|draw|e-?mail|embed|encrypt|estimate|evaluate|execute|explain|export|extract|fetch|fill|filter|find|forecast|format|generate|geocode|get|give|grab|group|identify|import|label|list|look up|mail|make|measure|merge|message|mint|moderate|monitor|narrate|notify|obtain|optimi[sz]e|order|paraphrase|parse|pay|pin|ping|plan|plot|post|predict|print|proofread|publish|put|rank|read|recommend|record|remind|remove|render|reply|report|reserve|resize|retrieve|rewrite|rotate|run|save|scan|schedule|score|scrape|search|sell|send|share|shorten|show|sign|simplify|simulate|solve|sort|speak|split|stake|store|subtitle|suggest|summari[sz]e|swap|tag|take|tell|test|text|track|transcribe|transfer|translate|trim|turn|tweet|upload|validate|verify|visuali[sz]e|write'
const LEAD =
  '(?:(?:and|first|then|next|also|finally|lastly|afterwards|please|after that|in addition|additionally|i (?:also )?(?:need|want|would like)(?: you)? to|can you|could you|let me|help me(?: to)?)[, ]+)*'
const BORDER = new RegExp(
  `(?:[.;:!?]\\s+|,\\s*(?:and |then |and then )?|\\s+(?:and then|then|and)\\s+)(?=${LEAD}(?:${VERBS})(?![a-z]))`,
  'giu',
)
const BEGINS = new RegExp(`^\\s*${LEAD}(?:${VERBS})(?![a-z])`, 'iu')

/** Separates two steps. */
const HINT = /[.,;:!?]|(?:and|then)\s/i

/** Verbs that need no object. */
const TASK = /^(?:transcribe|translate|summari[sz]e|proofread|moderate|geocode|scrape)$/iu
/** Words that only give the order of the steps. */
const ORDER = /[\s,]+(?:first|at first|afterwards|in the end|at the end|too|as well)[\s.,]*$/iu

/** Returns the steps of a request in order; fewer than two for a request of one step. */
export function toEnglishSteps(text: string): string[] {
  if (!HINT.test(text)) return []
  const found = text.split(BORDER)
  if (found.length < 2) return []
  const parts = found.map(part => part.trim().replace(ORDER, ''))
  // A verb without an object shares that of the next: read and write files. Some verbs are a task by themselves.
  return parts.some(part => /^\p{L}+$/u.test(part) && !TASK.test(part))
    ? []
    : parts.filter(part => BEGINS.test(part))
}
