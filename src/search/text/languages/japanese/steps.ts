// The steps of a Japanese request: 「PDFを翻訳して、要約して、Slackに送る」.

/** Where a deed ends and another follows. くて, ていて and でいて join what is told of one thing. */
const BORDER =
  /(?<=(?:し|っ|べ|め|げ|け|え|せ|み|り|(?<![てで])い)て|んで)(?:から)?(?:、|,|\s+)|(?<=[\p{Script=Han}ァ-ヶー]し|しし)(?:、|,)|(?<=[\p{Script=Han}ァ-ヶー]して|しして)(?=[\p{Script=Han}ァ-ヶーA-Za-z])(?![欲下頂貰見行来置])|[。、]?(?:それから|そのあと|その後|次に|さらに|そして|最後に)、?/u

/** The steps of a request in order; fewer than two where it is one. */
export const toJapaneseSteps = (text: string): string[] =>
  text
    .split(BORDER)
    .map(part => part.trim())
    .filter(part => part !== '')
