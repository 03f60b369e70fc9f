// The content of an English request: the subject of a reminder, of a picture or of a message. The service that it needs
// makes reminders, pictures or messages of any content.

const WHO = '(?:me|us|him|her|them|everyone|everybody|my \\w+|our \\w+|the \\w+)'
const WORKS =
  '(?:images?|charts?|graphs?|diagrams?|pictures?|photos?|drawings?|paintings?|illustrations?|logos?|posters?|cartoons?|portraits?|avatars?|wallpapers?|videos?|clips?|animations?|songs?|jingles?|tracks?|poems?|stor(?:y|ies)|essays?|blog posts?|tweets?|letters?|e-?mails?|speech(?:es)?|scripts?)'
const CONTENT = '(?<content>[^.;!?,]+)'

const PATTERNS = [
  // remind me to pay the rent · set a reminder for the dentist · remind me at noon that …
  `\\bremind(?:ers?)?(?: ${WHO})?(?: (?:at|on|in|every|tomorrow|tonight|today|next|this)(?: \\w+){0,3}?)? (?:to|about|that|of|for) ${CONTENT}`,
  // add milk to my shopping list · put the dentist on my calendar
  `\\b(?:add|put|write) (?<content>[^.;!?,]+?) (?:to|on|onto|in|into) (?:my|the|our|a) (?:(?:to-?do|shopping|grocery|task|wish|packing) ?list|list|calendar|agenda|schedule)\\b`,
  // draw a picture of a castle · write a poem about the sea
  `\\b(?:draw|paint|sketch|illustrate|generate|create|make|compose|write|design|render|produce)(?: ${WHO})? (?:an? |some |the )?(?:\\w+ ){0,2}?${WORKS} (?:of|about|showing|depicting|with|describing|on) ${CONTENT}`,
  // tell my wife that I am late · email Anna about the invoice
  `\\b(?:tell|text|message|e-?mail|notify|inform) (?!me\\b|us\\b)(?:\\w+ ){1,3}?(?:that|saying|about) ${CONTENT}`,
  // papers about sleep · news on the election
  `\\b(?:papers?|research|studies|articles?|publications?|news|headlines|books?|podcasts?|documentaries|(?:court )?(?:decisions|rulings|judgments)|case law) (?:about|on|regarding|concerning|covering) ${CONTENT}`,
  // search recipes by keyword · a video from a prompt
  `\\b(?:search|find|look ?up|lookup|query)\\b[^.;!?,]{0,40}? (?:by|with|using) (?:an? |the )?(?<content>keywords?)\\b`,
  `\\b(?:from|with|by|using) (?:an? |my |the |one )?(?<content>(?:text )?prompts?)\\b`,
  // the salary of a data analyst
  `\\bsalar(?:y|ies) (?:of|for) ${CONTENT}`,
  // driving time avoiding tolls
  `\\bavoiding ${CONTENT}`,
  // a chart from a CSV file
  `\\b(?:charts?|graphs?|plots?|dashboards?) (?:from|of|out of) (?:an? |my |the |this )?(?<content>csv|json|excel|xlsx)\\b`,
  // email the summary to my team
  `\\be-?mail (?:the |a |this |that |my )(?<content>\\w+) to\\b`,
  // translate "where is the hospital" · say 'good morning'
  `\\b(?:translate|say|pronounce|spell|read)\\b[^"“]{0,20}["“](?<content>[^"”]+)["”]`,
  // an invoice to JSON: most services return it. A conversion between formats is a request of its own.
  `(?<!\\b(?:csv|xml|yaml|toml|html|excel|xlsx|sql|rss|markdown)(?: files?| data| feeds?)?) (?:to|as|into|in) (?<content>json)\\b`,
  // a PDF invoice: the content matters more than the format
  `(?<!\\b(?:to|into|as) (?:an? )?)(?<content>pdf|docx|excel) (?:invoices?|receipts?|bills?|contracts?|statements?|reports?|resumes?|cvs?|papers?|forms?)\\b`,
].map(pattern => new RegExp(pattern, 'giu'))
const HINT =
  /paper|research|stud|article|publication|news|headline|book|podcast|documentar|csv|xlsx|remind|list|calendar|agenda|schedule|draw|paint|sketch|illustrat|generat|creat|mak|compos|writ|design|render|produc|tell|text|messag|mail|notif|inform|json|pdf|docx|excel|decision|ruling|judgment|case law|salar|avoiding|keyword|prompt|["“]/i

export const toEnglishAsides = (text: string): string[] =>
  HINT.test(text)
    ? PATTERNS.flatMap(pattern => [...text.matchAll(pattern)].map(({ groups }) => groups!.content!))
    : []
