// Terms of a field that services word differently, and words that look like them.
import { expect, test } from 'bun:test'
import { openSemantic, toEntries } from './listings.ts'

const TEXTS: readonly (readonly [name: string, description: string])[] = [
  ['Past The Puzzle', 'An anticaptcha service for crawlers.'],
  ['Sum Solver', 'Solves equations and systems of equations.'],
  ['Screen Grab', 'Captures the screen of a phone.'],
  ['Clean Comments', 'Filters toxic comments before they are published.'],
  ['Picture Rules', 'Image recognition with tags for every photo.'],
  ['Homes Ledger', 'Prices and listings of homes, rents by district.'],
  ['Statute Desk', 'Property law and land law, by section.'],
  ['Job Shelf', 'Job offers from many job boards.'],
  ['Remote Shell', 'Runs a command on a remote server.'],
  ['Text Courier', '確認コードをSMSで届けます。'],
  ['郵便受け', 'メールを書いて送信します。'],
  ['字幕工房', '動画の字幕を作ります。'],
  ['Clip Maker', 'Makes short videos from a text prompt.'],
  ['Deep Thoughts', 'ディープに考えるアシスタント。'],
  ['Reel Scores', 'Scores films by their reviews.'],
  ['Link Watch', 'Phishing pages recognised by their reputation.'],
  ['Paper Press', 'ワードやHTMLをPDFに変換します。'],
  ['Page Turner', 'PDFをワードに変換します。'],
  ['Who Am I', '身分証と自撮りで本人確認をします。'],
  ['Rail Guide', '電車の時刻表と遅れを返します。'],
  ['Fee Watch', 'Current gas fees of many chains.'],
  ['Build Costs', 'Estimates the cost of a building.'],
  ['Sense Space', 'Turns text into vectors for search.'],
  ['Tiny Boards', 'Lists embedded systems and embedded devices.'],
  ['Letter Box', 'Composes and sends email.'],
  ['Short Form', 'A summary of any text.'],
  ['Ledger Room', 'Financial statements and earnings of companies.'],
  ['Best Route', 'Swap quotes for swapping tokens.'],
  ['Span Survey', 'The length of a bridge over a river.'],
  ['Line Finder', 'The carrier and line type of a phone number.'],
  ['Dialer', 'Makes a phone call to a number.'],
  ['Plotter', 'Draws charts and graphs.'],
  ['Row Export', 'Exports data as CSV files.'],
  ['損益帳', '暗号資産の損益を計算します。'],
  ['Town Hall', 'Taxes of a city.'],
  ['Laugh Lab', 'Makes a meme of a picture.'],
]
const catalog = openSemantic(...toEntries(TEXTS))
const resultsOf = (q: string) => catalog.searchByIntent({ q, limit: 5 }).decode().results
const firstOf = (q: string) => resultsOf(q)[0]?.service.name

test.each([
  ['solve a captcha', 'Past The Puzzle'],
  ['bypass recaptcha', 'Past The Puzzle'],
  ['text moderation', 'Clean Comments'],
  ['real estate and average rent', 'Homes Ledger'],
  ['家賃相場', 'Homes Ledger'],
  ['job postings, remote only', 'Job Shelf'],
  ['求人情報、リモートのみ', 'Job Shelf'],
  ['ショートメールで認証コードを送信', 'Text Courier'],
  ['add captions to a video', '字幕工房'],
  ['このサイト詐欺じゃない?', 'Link Watch'],
  ['ぴーでぃーえふをわーどに変換', 'Page Turner'],
  ['eKYC', 'Who Am I'],
  ['大阪までの乗り換え', 'Rail Guide'],
  ['gas estimator', 'Fee Watch'],
  ['RAG', 'Sense Space'],
  ['文書をベクトル化したい', 'Sense Space'],
  ['fundamentals like the P/E ratio', 'Ledger Room'],
  ['この電話番号が携帯か固定か知りたい', 'Line Finder'],
  ['仮想通貨の税金計算', '損益帳'],
  ['ミーム画像を作る', 'Laugh Lab'],
])('%s: %s', (query, name) => {
  expect(firstOf(query)).toBe(name)
})

test.each([
  ['solve an equation', 'Sum Solver'],
  ['スマホの画面キャプチャ', 'Screen Grab'],
  ['recognise what is in a photo', 'Picture Rules'],
  ['property law', 'Statute Desk'],
  ['run a remote command', 'Remote Shell'],
  ['メールを送信', '郵便受け'],
  ['text to video', 'Clip Maker'],
  ['estimate the cost of a house', 'Build Costs'],
  ['embedded systems', 'Tiny Boards'],
  ['how long is the bridge over the river', 'Span Survey'],
  ['電話をかける', 'Dialer'],
  ['a csv file of my data', 'Row Export'],
  ['taxes of my city', 'Town Hall'],
])('the same words mean something else in another context: %s: %s', (query, name) => {
  expect(firstOf(query)).toBe(name)
})

test('a word of the lexicon that no service has is not split into others', () => {
  const matchesOf = (q: string) => resultsOf(q).flatMap(({ matchedTokens }) => matchedTokens)
  expect(matchesOf('ディープフェイク')).toEqual([])
  // An unknown compound is.
  expect(matchesOf('ディープラーニング')).toEqual(['ディープラーニング'])
})
