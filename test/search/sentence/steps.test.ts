// Sentences of several steps, and sentences that only look like them.
import { expect, test } from 'bun:test'
import { createSentenceReader } from '../../../src/search/sentence/intent.ts'

const readIntent = createSentenceReader()
const stepsOf = (query: string) => readIntent(query).steps.map(({ contentTokens }) => contentTokens.join(' '))

test.each([
  ['translate a PDF, summarise it and send it to Slack', ['translate pdf', 'summarise', 'send slack']],
  ['read a receipt, then convert the total into euros', ['read receipt', 'convert total euros']],
  ['transcribe a call and translate it', ['transcribe call', 'translate']],
  ['Fetch the weather in Oslo. Then draw a chart of it.', ['fetch weather oslo', 'draw chart']],
  ['check an address and send a letter on Base', ['check address', 'send letter']],
  [
    'turn a blog post into an audio file, summarise it first and then mail it to me',
    ['turn blog post audio file', 'summarise', 'mail'],
  ],
  ['fetch the news and make a podcast of it', ['fetch news', 'podcast']],
  [
    'a podcast: transcribe, summarise, translate into Japanese',
    ['transcribe', 'summarise', 'translate japanese'],
  ],
  ['会議を文字起こしして要約する', ['会議 文字 起', '要約']],
  ['PDFを翻訳して、要約して、Slackに送る', ['pdf 翻訳', '要約', 'slack 送る']],
  ['録音を文字起こしし、要約してメールで送りたい', ['録音 文字 起', '要約', 'メール 送り']],
  ['株価を取得して、グラフにする', ['株価 取得', 'グラフ']],
  ['画像を生成し、背景を切り抜く', ['画像 生成', '背景 切り抜く']],
  ['住所を調べて、それから地図を作る', ['住所', '地図 作る']],
  ['表をPDFにしてメールで送る', ['表 pdf', 'メール 送る']],
  ['take a screenshot and send it to Slack', ['take screenshot', 'send slack']],
  ['記事を要約してから翻訳する', ['記事 要約', '翻訳']],
  ['写真を撮ってから背景を消す', ['写真 撮', '背景 消す']],
  [
    "I'm a teacher and want better classes. Can you help me generate QR codes? Additionally, validate the email of each student. Lastly, I'd like to know the exchange rates.",
    ['teacher better classes generate qr codes', 'validate email student', 'exchange rates'],
  ],
  [
    'I want to create a QR code for my blog. Can you generate a QR code? Also, I am looking for a movie poster. Can you fetch it?',
    ['create qr code blog generate', 'movie poster fetch'],
  ],
  [
    'What is the weather in Oslo? Furthermore, kindly provide me with flights to Bergen. It would also be great if you could suggest a hotel.',
    ['weather oslo', 'flights bergen', 'suggest hotel'],
  ],
  [
    '東京の天気を教えてください。また、近くのホテルも探したいです。最後に、日程をメールで送ってください。',
    ['東京 天気', '近く ホテル', '日程 メール 送'],
  ],
  ['まず住所を検証し、続いて地図を作る', ['住所 検証', '地図 作る']],
  ['為替レートを知りたい。加えて、株価も教えて。', ['為替 レート', '株価']],
])('each step of a sentence is read by itself: %s', (query, steps) => {
  expect(stepsOf(query)).toEqual(steps)
})

test('a step is quoted without the words that ask for it', () => {
  const { steps } = readIntent(
    'Can you translate a PDF for me? Additionally, send it to Slack. Lastly, I would like to know the rate of the euro.',
  )
  expect(steps.map(({ text }) => text)).toEqual([
    'translate a PDF for me',
    'send it to Slack',
    'the rate of the euro',
  ])
})

test.each([
  'weather and news',
  'search and replace text',
  'read and write files',
  'compare prices of a camera, a lens and a tripod',
  'translation, fast and cheap',
  'exchange rate and total cost',
  'call and message history',
  '翻訳して欲しい',
  '天気とニュース',
  '天気予報を調べて、教えてください',
  '安くて、信頼できる翻訳',
  '東京に住んでいて、電車の遅れを知りたい',
  '検索して欲しい',
  '明日から三日間の天気',
  '初めてからの記録',
  '夏休みにして欲しい予定',
  'take and send',
  'How can I create and run Python notebooks?',
  'I need help with the structure of a project. What approach would you recommend?',
  'I need information about a vaccine. Can you fetch the relevant data for me?',
  'a profile with name, email, and optional age',
  'see the orders of a customer, with order numbers, dates and order details',
  '天気予報を探しています。安いものがいいです。',
  'まず天気を知りたい',
])('a request of one step has no steps: %s', query => {
  expect(stepsOf(query)).toEqual([])
})
