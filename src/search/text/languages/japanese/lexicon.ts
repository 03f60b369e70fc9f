// Technical and everyday words: their spellings, readings and English translations. Written for this project, under its
// licence. A line is one word: spellings, readings in hiragana, English words, each separated by commas.
import type { LexiconEntry } from '../language.ts'

const LINES = `
アニメ||anime,animation
録音|ろくおん|recording,audio recording
宇宙ステーション||space station,iss
潮汐,満潮,干潮|ちょうせき|tide
国会,議会|こっかい|parliament
ヘイトスピーチ,差別的な表現||hate speech
構成図,図表||diagram
ユーザーエージェント||user agent
ヘッドレスブラウザ||headless browser,headless chrome
口コミ|くちこみ|review
住宅ローン||mortgage
血液検査||blood test
観葉植物||houseplant
人工衛星|じんこうえいせい|satellite
商標|しょうひょう|trademark
入札|にゅうさつ|tender,procurement
船舶|せんぱく|vessel,ship
アレルギー,アレルゲン||allergy,allergen
天文,天体|てんもん|astronomy
暗号資産,仮想通貨,暗号通貨|あんごうしさん|cryptocurrency,crypto
ステーブルコイン||stablecoin
トークン||token
ウォレット||wallet
スマートコントラクト||smart contract
ガス代,ガス料金|がすだい|gas fee
ブロックチェーン||blockchain
エアドロップ||airdrop
ステーキング||staking
スワップ||swap
利回り|りまわり|yield
流動性|りゅうどうせい|liquidity
取引所|とりひきじょ|exchange
送金|そうきん|money transfer,remittance,transfer funds
決済|けっさい|payment
残高|ざんだか|balance
読み上げ,音声合成,合成音声|よみあげ,おんせいごうせい,ごうせいおんせい|text to speech
文字起こし,書き起こし,音声認識|もじおこし,おんせいにんしき|speech recognition,speech to text,transcribe,transcription
文字認識,文字の読み取り||ocr
大規模言語モデル,言語モデル||llm,language model
生成AI,生成ai||generative ai
人工知能|じんこうちのう|ai,artificial intelligence
機械学習|きかいがくしゅう|machine learning
埋め込み||embedding
要約|ようやく|summary,summarize
翻訳|ほんやく|translation,translate
校正|こうせい|proofreading
画像生成|がぞうせいせい|image generation
背景|はいけい|background
顔認識,顔認証|かおにんしき|face recognition
字幕|じまく|subtitle,caption
動画|どうが|video
画像|がぞう|image
写真|しゃしん|photo
音楽|おんがく|music
天気|てんき|weather
予報|よほう|forecast
気温|きおん|temperature
台風|たいふう|typhoon
地震|じしん|earthquake
花粉|かふん|pollen
株価|かぶか|stock price
株式|かぶしき|stock
為替|かわせ|exchange rate,forex
通貨|つうか|currency
決算|けっさん|earnings
財務|ざいむ|financial
請求書|せいきゅうしょ|invoice
領収書,レシート|りょうしゅうしょ|receipt
契約書|けいやくしょ|contract
履歴書|りれきしょ|resume,cv
求人|きゅうじん|job
住所|じゅうしょ|address
地図|ちず|map
経路,ルート,道順|けいろ|route
乗換,乗り換え,のりかえ||transit
時刻表|じこくひょう|timetable
電車|でんしゃ|train
車,自動車|くるま|car
飛行機|ひこうき|flight
航空券|こうくうけん|flight ticket
宿,旅館|やど|hotel
旅行|りょこう|travel
料理|りょうり|recipe,cooking
献立|こんだて|meal plan
栄養|えいよう|nutrition
薬|くすり|drug,medicine
病気|びょうき|disease
運動|うんどう|workout
猫|ねこ|cat
犬|いぬ|dog
本|ほん|book
映画|えいが|movie,film
試合|しあい|match
将棋|しょうぎ|shogi
論文,文献|ろんぶん|research paper,scientific paper
法令,法律|ほうれい|law
判例|はんれい|court decision
人口|じんこう|population
統計|とうけい|statistics
予測|よそく|prediction,forecast
検索|けんさく|search
速報|そくほう|breaking news
記事|きじ|article
見出し|みだし|headline
プルリクエスト,プルリク||pull request
コードレビュー||code review
締め切り,締切|しめきり|deadline
漏洩,漏えい,流出|ろうえい|leak,breach
メール||email,mail
電話番号|でんわばんごう|phone number
通知|つうち|notification
本人確認,eKYC,ekyc|ほんにんかくにん|identity verification,kyc
脆弱性|ぜいじゃくせい|vulnerability
証明書|しょうめいしょ|certificate
暗号化|あんごうか|encryption
荷物,宅配便|にもつ|parcel,package
送料|そうりょう|shipping
在庫|ざいこ|stock,inventory
値段,価格|ねだん,かかく|price
家賃|やちん|rent
賃貸|ちんたい|rent,rental
名言|めいげん|quote,quotes
圧縮|あっしゅく|compress
ナンバープレート||license plate,number plate
筋トレ|きんとれ|workout
ヴィーガン,ビーガン||vegan
書類|しょるい|document
不動産|ふどうさん|real estate
保険|ほけん|insurance
祝日|しゅくじつ|holiday
時差,タイムゾーン|じさ|time zone,timezone
単位|たんい|unit
方程式|ほうていしき|equation
グラフ||chart
スクリーンショット||screenshot
ドメイン||domain
サーバー,サーバ||server
データベース||database
クラウド||cloud
ストレージ||storage
チャットボット||chatbot
スクレイピング||scraping
クローラー||crawler
ジオコーディング||geocoding
バーコード||barcode
センチメント,感情分析||sentiment
スプレッドシート||spreadsheet
プレゼン||presentation
アンケート||survey
リマインド,リマインダー||reminder,remind
ニュース||news
スポーツ||sports
グーグル||google
ツイッター||twitter
フェイスブック||facebook
インスタグラム,インスタ||instagram
ユーチューブ||youtube
ティックトック||tiktok
スラック||slack
ディスコード||discord
テレグラム||telegram
ノーション||notion
ギットハブ||github
アマゾン||amazon
マイクロソフト||microsoft
オープンエーアイ||openai
チャットジーピーティー||chatgpt
クロード||claude
ジェミニ||gemini
ミッドジャーニー||midjourney
スポティファイ||spotify
ネットフリックス||netflix
ウィキペディア||wikipedia
リンクトイン||linkedin
コインゲッコー||coingecko
コインベース||coinbase
バイナンス||binance
ユニスワップ||uniswap
メタマスク||metamask
オープンシー||opensea
チェーンリンク||chainlink
ディープエル||deepl
ショッピファイ||shopify
ストライプ||stripe
ペイパル||paypal
ワード||word
エクセル||excel
パワーポイント,パワポ||powerpoint
マークダウン||markdown
ショートメール,ショートメッセージ||sms,text message
ディープフェイク||deepfake
オラクル||oracle
ノード||node
フロア価格,フロアプライス||floor price
サンドボックス||sandbox
プロキシ||proxy
フィッシング||phishing
マルウェア||malware
パスポート||passport
ハッシュタグ||hashtag
レディット||reddit
ズーム||zoom
ライン||line
ヤフー||yahoo
ピンコーン,パインコーン||pinecone
ラングチェーン||langchain
ウィスパー||whisper
ジーメール||gmail
自然言語|しぜんげんご|natural language
ダミーデータ,テストデータ||test data,fake data,mock data
郵便番号|ゆうびんばんごう|postal code,zip code,postcode
緯度|いど|latitude
経度|けいど|longitude
計算|けいさん|calculate,calculation
履歴|りれき|history
会社,企業|かいしゃ,きぎょう|company
銀行|ぎんこう|bank
病院|びょういん|hospital
英語|えいご|english
手書き|てがき|handwriting
名刺|めいし|business card
商品|しょうひん|product
観光|かんこう|tourism
占い|うらない|fortune telling,horoscope
星座|せいざ|zodiac,constellation
漫画|まんが|manga,comics
歌詞|かし|lyrics
競馬|けいば|horse racing
野球|やきゅう|baseball
パスワード||password
クーポン||coupon
ミーム||meme
津波|つなみ|tsunami
洪水|こうずい|flood
警報|けいほう|warning,alert
税金|ぜいきん|tax
確定申告|かくていしんこく|tax return
学校|がっこう|school
駐車場|ちゅうしゃじょう|parking
新聞|しんぶん|newspaper
小説|しょうせつ|novel
色見本||palette
紫外線|しがいせん|uv index
出来高|できだか|volume
板情報||order book
資産管理||portfolio
年収|ねんしゅう|salary
感想|かんそう|reviews,opinions
好意的,肯定的||positive,sentiment
否定的,批判的||negative,sentiment
判決|はんけつ|court ruling,court decision
条文|じょうぶん|statute,law
利用規約,規約||terms of service
代表者,役員||directors
株主|かぶぬし|shareholders
信用調査||credit check,company report
取引先|とりひきさき|counterparty,customer
迷惑電話||spam call
迷惑メール||spam
不正アクセス||intrusion
間取り|まどり|floor plan
番組表||tv schedule
配信|はいしん|streaming
生放送|なまほうそう|live stream
言い換え|いいかえ|paraphrase
作文|さくぶん|essay
キャッチコピー||slogan,tagline
広告文||ad copy
被リンク||backlinks
アクセス解析||web analytics
閲覧数||page views
死活監視||uptime monitoring
運行情報||service status
配送|はいそう|shipping,delivery
名簿|めいぼ|contact list
予定表|よていひょう|calendar
空き時間|あきじかん|free slot
元号|げんごう|japanese era
旧暦|きゅうれき|lunar calendar
雑学,豆知識|ざつがく,まめちしき|trivia,random facts
参考文献||references,citations
塩基配列||dna sequence
里親|さとおや|pet adoption
海抜,標高|ひょうこう|elevation
雨雲|あまぐも|rain radar
熱中症|ねっちゅうしょう|heat stroke
問題集||quiz
志望動機||cover letter
在宅|ざいたく|remote
勤怠|きんたい|attendance
観光地,名所|かんこうち|sights,attractions
旅程|りょてい|itinerary,travel plan
民泊|みんぱく|vacation rental
空室|くうしつ|room availability
コンサート||concert
賞味期限||expiry date
順位表|じゅんいひょう|league table,standings
攻略|こうりゃく|walkthrough
定期実行||cron,scheduled task
裁定取引||arbitrage
自動売買||trading bot
占星術||astrology,horoscope
短縮|たんしゅく|shorten
詐欺|さぎ|scam,fraud
正規表現|せいきひょうげん|regular expression,regex
物価上昇率|ぶっかじょうしょうりつ|inflation,inflation rate
著作権|ちょさくけん|copyright
冗談,ジョーク,ダジャレ||joke
トレンド||trend,trending
リサイズ||resize
月齢,月の満ち欠け|げつれい|moon phase
`

/** Names of coins, cities and firms; those of countries come from ICU. */
const NAMES = `
イーサリアム,イーサ||ethereum,eth
ビットコイン||bitcoin,btc
ソラナ||solana,sol
ポリゴン||polygon
アービトラム||arbitrum
アバランチ||avalanche,avax
オプティミズム||optimism
リップル||ripple,xrp
ドージコイン||dogecoin,doge
ライトコイン||litecoin,ltc
カルダノ||cardano
ポルカドット||polkadot
トロン||tron
テザー||tether,usdt
ユーエスディーシー||usdc
ヨーロッパ,欧州||europe
アジア||asia
アフリカ||africa
東京||tokyo
大阪||osaka
京都||kyoto
札幌||sapporo
北海道||hokkaido
福岡||fukuoka
名古屋||nagoya
横浜||yokohama
神戸||kobe
広島||hiroshima
仙台||sendai
沖縄||okinawa
渋谷||shibuya
新宿||shinjuku
ニューヨーク||new york
ロサンゼルス||los angeles
サンフランシスコ||san francisco
シカゴ||chicago
シアトル||seattle
ボストン||boston
マイアミ||miami
トロント||toronto
バンクーバー||vancouver
ロンドン||london
マンチェスター||manchester
パリ||paris
リヨン||lyon
ベルリン||berlin
ミュンヘン||munich
ハンブルク||hamburg
フランクフルト||frankfurt
ローマ||rome
ミラノ||milan
ベネチア,ヴェネツィア||venice
マドリード||madrid
バルセロナ||barcelona
リスボン||lisbon
アムステルダム||amsterdam
ブリュッセル||brussels
ウィーン||vienna
チューリッヒ||zurich
ジュネーブ||geneva
ストックホルム||stockholm
オスロ||oslo
コペンハーゲン||copenhagen
ヘルシンキ||helsinki
ワルシャワ||warsaw
プラハ||prague
ブダペスト||budapest
アテネ||athens
ダブリン||dublin
モスクワ||moscow
イスタンブール||istanbul
ドバイ||dubai
デリー||delhi
ムンバイ||mumbai
バンコク||bangkok
ハノイ||hanoi
ジャカルタ||jakarta
マニラ||manila
ソウル||seoul
北京||beijing
上海||shanghai
台北||taipei
シドニー||sydney
メルボルン||melbourne
カイロ||cairo
ナイロビ||nairobi
ケープタウン||cape town
マイクロソフト||microsoft
アップル||apple
テスラ||tesla
エヌビディア||nvidia
サムスン||samsung
インテル||intel
ディズニー||disney
ナイキ||nike
トヨタ||toyota
ホンダ||honda
日産||nissan
ソニー||sony
任天堂||nintendo
ソフトバンク||softbank
ユニクロ||uniqlo
スターバックス,スタバ||starbucks
マクドナルド||mcdonald's
`
const DAYS = `
今日,本日||today
明日,あした||tomorrow
昨日,きのう||yesterday
今夜,今晩||tonight
今週||this week
来週||next week
先週||last week
今月||this month
来月||next month
先月||last month
今年||this year
来年||next year
昨年,去年||last year
週末||weekend
月曜日,月曜||monday
火曜日,火曜||tuesday
水曜日,水曜||wednesday
木曜日,木曜||thursday
金曜日,金曜||friday
土曜日,土曜||saturday
日曜日,日曜||sunday
`

const listOf = (text = ''): string[] => text.split(',').filter(word => word !== '')

const toWords = (lines: string): LexiconEntry[] =>
  lines
    .trim()
    .split('\n')
    .map(line => {
      const [written, read, english] = line.split('|')
      const words = listOf(written)
      return { words: [...words, ...listOf(english)], readings: listOf(read) }
    })

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const namesIn = (language: string) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })

/** The names of all countries: フィンランド is Finland. */
function toCountries(): LexiconEntry[] {
  const [japanese, english] = [namesIn('ja'), namesIn('en')]
  const codes = LETTERS.flatMap(first => LETTERS.map(second => first + second))
  return codes.flatMap(code => {
    const names = [japanese.of(code), english.of(code)?.toLowerCase()]
    return names.every(name => name !== undefined) ? [{ words: names, readings: [] }] : []
  })
}

export const JAPANESE_LEXICON: readonly LexiconEntry[] = [
  ...toWords(LINES),
  ...[...toWords(NAMES), ...toCountries()].map(entry => ({ ...entry, nameOf: 'thing' as const })),
  ...toWords(DAYS).map(entry => ({ ...entry, nameOf: 'day' as const })),
]
