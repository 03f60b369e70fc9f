// Conversions in English text, found by the words between: pdf to markdown, speech from text, html2pdf, XML → YAML.
import { type Conversion, type NamedConversion, NEVER_MATCHES } from '../language.ts'

/** Names in camelCase, or with a digit instead of the word between. */
const CAMEL = /([a-z0-9])([A-Z])/g
const DIGIT = /(?<![\p{L}\p{N}])(\p{L}{2,12})[24](\p{L}{2,12})(?![\p{L}\p{N}])/gu
const ARROW = /[-=]>|[→⇒➡]/g
const CLAUSE_END = /[.,;:!?()\n。、]+/
const ARTICLES = new Set(['a', 'an', 'the', 'any', 'your', 'my', 'its', 'their'])
/** Other names of a format. */
const FORMATS: ReadonlyMap<string, readonly string[]> = new Map([
  ['docx', ['word', 'office']],
  ['doc', ['word', 'office']],
  ['word', ['docx', 'office']],
  ['office', ['docx', 'word']],
  ['xlsx', ['excel']],
  ['excel', ['xlsx']],
  ['pptx', ['powerpoint']],
  ['powerpoint', ['pptx']],
  ['jpg', ['jpeg']],
  ['jpeg', ['jpg']],
  ['md', ['markdown']],
  ['txt', ['text']],
  ['markdown', ['md']],
])
const withFormats = (words: readonly string[]): string[] =>
  words.flatMap(word => [word, ...(FORMATS.get(word) ?? [])])

/** The number of words on each side that may name what is converted. */
const REACH = 2

/** After these, "to" names a recipient and not a result: add captions to a video, upload the text to a blog. */
const GIVING = new Set(
  'add adding append attach apply upload uploading send sending publish forward deliver respond listen subscribe connect according related similar'.split(
    ' ',
  ),
)
/** The number of words between such a verb and "to". */
const GIVEN = 4

const isToward = (word: string | undefined): boolean => word === 'to' || word === 'into'

function toWords(clause: string): string[] {
  const words = clause.toLowerCase().split(/[^\p{L}\p{M}\p{N}+#]+/u)
  return words.filter(word => word !== '' && !ARTICLES.has(word))
}

export const ENGLISH_LANGUAGE_NAMES =
  'english,french,german,spanish,italian,portuguese,dutch,polish,russian,ukrainian,turkish,arabic,hindi,chinese,mandarin,japanese,korean,vietnamese,thai,indonesian,swedish'.split(
    ',',
  )
/** The language of the source is not part of the conversion: a speech in French into text. */
const IN_LANGUAGE = new RegExp(`\\s+in (?:${ENGLISH_LANGUAGE_NAMES.join('|')})(?=\\s+(?:to|into)\\s)`, 'gi')

/** Matches every text with a conversion, including csvToJson and csv_to_json. */
const HINT =
  /(?:^|[^A-Za-z])(?:[Tt]o|[Ii]nto|[Ff]rom|TO|INTO|FROM)(?![A-Za-z])|[a-z](?:To|Into|From)[A-Z]|[24]|[-=]>|[→⇒➡]/

export function toEnglishConversions(text: string): Conversion[] {
  if (!HINT.test(text)) return []
  const plain = text
    .replace(IN_LANGUAGE, '')
    .replace(ARROW, ' to ')
    .replace(CAMEL, '$1 $2')
    .replace(DIGIT, '$1 to $2')
  const found: Conversion[] = []
  for (const clause of plain.split(CLAUSE_END)) {
    const words = toWords(clause)
    for (let i = 1; i < words.length - 1; i++) {
      const before = words.slice(Math.max(0, i - REACH), i)
      const after = words.slice(i + 1, i + 1 + REACH)
      if (isToward(words[i])) {
        const isGiven = words.slice(Math.max(0, i - GIVEN), i).some(word => GIVING.has(word))
        if (!isGiven) found.push({ from: withFormats(before), to: withFormats(after) })
      }
      // "From X to Y" is already found by its "to".
      else if (words[i] === 'from' && !words.slice(i + 2, i + 4).some(isToward))
        found.push({ from: withFormats(after), to: withFormats(before) })
    }
  }
  return found
}

const SOUND =
  'speech,voice,audio,recording,recordings,podcast,podcasts,call,calls,memo,memos,mp3,wav,spoken,talk,lecture,lectures,dictation,interview,interviews,meeting,meetings,voicemail'.split(
    ',',
  )
const TEXT =
  'text,texts,words,transcript,transcripts,writing,notes,article,articles,blog,post,prompt,prompts,description,script,captions'.split(
    ',',
  )
const PICTURE =
  'image,images,picture,pictures,photo,photos,scan,scans,screenshot,screenshots,photograph,photographs,illustration,art'.split(
    ',',
  )
const FILM = 'video,videos,clip,clips,film,films,footage'.split(',')

/** Conversions of sound, text, pictures and languages, and the names of services for them. */
export const ENGLISH_NAMED_CONVERSIONS: readonly NamedConversion[] = [
  // Translation services translate both ways.
  {
    from: ENGLISH_LANGUAGE_NAMES,
    to: ENGLISH_LANGUAGE_NAMES,
    names: ['translation', 'translate'],
    pattern: NEVER_MATCHES,
  },
  {
    from: FILM,
    to: TEXT,
    names: ['video transcript', 'video transcribe'],
    pattern: /video transcri/i,
  },
  {
    from: SOUND,
    to: TEXT,
    names: ['transcription', 'transcribe', 'speech to text'],
    pattern: /transcri(?:be|bing|ption)|speech recognition|dictation/i,
  },
  {
    from: TEXT,
    to: SOUND,
    names: ['text to speech', 'read aloud', 'narration'],
    pattern: /\baloud\b|narrat|text[- ]to[- ]speech|\btts\b|voice-?over/i,
  },
  {
    from: TEXT,
    to: PICTURE,
    names: ['text to image', 'image prompt', 'picture prompt', 'image diffusion'],
    pattern:
      /(?:generat|paint|draw|creat|mak)\w* (?:\w+ ){0,2}(?:images|pictures|illustrations|art)\b|image generat|text[- ]to[- ]image|diffusion/i,
  },
  {
    from: PICTURE,
    to: TEXT,
    names: ['ocr', 'handwriting'],
    pattern:
      /\bocr\b|(?:reads?|recogni[sz]es?|extracts?|detects?) (?:the )?text (?:from|in|on) |captions? for (?:images|photos)|describes? (?:a |an |the )?(?:images?|pictures?|photos?)/i,
  },
  {
    from: [...TEXT, ...PICTURE],
    to: FILM,
    names: ['text to video', 'video prompt'],
    pattern:
      /text[- ]to[- ]video|(?:generat|creat|mak)\w* (?:\w+ ){0,2}(?:videos|clips|films)\b|video generat/i,
  },
]
