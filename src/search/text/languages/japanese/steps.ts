// The steps of a Japanese request: 「PDFを翻訳して、要約して、Slackに送る」.

/** The end of one action before another. くて, ていて and でいて join descriptions of one thing. */
const BORDER =
  /(?<=(?:し|っ|べ|め|げ|け|え|せ|み|り|(?<![てで])い)て|んで)(?:から)?(?:、|,|\s+)|(?<=[\p{Script=Han}ァ-ヶー]し|しし)(?:、|,)|(?<=[\p{Script=Han}ァ-ヶー]して|しして)(?=[\p{Script=Han}ァ-ヶーA-Za-z])(?![欲下頂貰見行来置])|(?<=[\p{Script=Han}ァ-ヶーA-Za-z]にして)(?=[\p{Script=Han}ァ-ヶーA-Za-z])(?![欲下頂貰見行来置])|(?<=[てで]から)(?=[\p{Script=Han}ァ-ヶーA-Za-z])|[。、]?(?:それから|そのあと|その後|次に|続いて|さらに|加えて|併せて|あわせて|ついでに|そして|最後に)、?|。\s*また、?/u

/** Says only that a step is the first. */
const FIRST = /^(?:まず(?:は)?|はじめに|初めに|最初に)、?/u

/** Returns the steps of a request in order; fewer than two for a request of one step. */
export const toJapaneseSteps = (text: string): string[] =>
  text
    .split(BORDER)
    .map(part => part.trim().replace(FIRST, ''))
    .filter(part => part !== '')
