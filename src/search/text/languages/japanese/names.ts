// Names of places, chains, coins and days in both languages. A request is about one of them (the weather in Kyoto, gas on
// Polygon), most services are about all. A line is one name: in Japanese, then in English, each separated by commas.
import type { LexiconEntry, NameKind } from '../../equivalents.ts'

const COINS = `
イーサリアム,イーサ|ethereum,eth
ビットコイン|bitcoin,btc
ソラナ|solana,sol
ポリゴン|polygon
アービトラム|arbitrum
アバランチ|avalanche,avax
オプティミズム|optimism
リップル|ripple,xrp
ドージコイン|dogecoin,doge
ライトコイン|litecoin,ltc
カルダノ|cardano
ポルカドット|polkadot
トロン|tron
テザー|tether,usdt
ユーエスディーシー|usdc
`

const PLACES = `
日本|japan
アメリカ,米国|usa,united states
イギリス,英国|uk,united kingdom
フランス|france
ドイツ|germany
イタリア|italy
スペイン|spain
ポルトガル|portugal
オランダ|netherlands
ベルギー|belgium
スイス|switzerland
オーストリア|austria
スウェーデン|sweden
ノルウェー|norway
デンマーク|denmark
フィンランド|finland
ポーランド|poland
チェコ|czech republic
ハンガリー|hungary
ギリシャ|greece
アイルランド|ireland
ロシア|russia
ウクライナ|ukraine
中国|china
韓国|korea,south korea
台湾|taiwan
香港|hong kong
インド|india
インドネシア|indonesia
タイ|thailand
ベトナム|vietnam
フィリピン|philippines
マレーシア|malaysia
シンガポール|singapore
オーストラリア|australia
ニュージーランド|new zealand
カナダ|canada
メキシコ|mexico
ブラジル|brazil
アルゼンチン|argentina
チリ|chile
エジプト|egypt
南アフリカ|south africa
ナイジェリア|nigeria
ケニア|kenya
イスラエル|israel
ヨーロッパ,欧州|europe
アジア|asia
アフリカ|africa
東京|tokyo
大阪|osaka
京都|kyoto
札幌|sapporo
北海道|hokkaido
福岡|fukuoka
名古屋|nagoya
横浜|yokohama
神戸|kobe
広島|hiroshima
仙台|sendai
沖縄|okinawa
渋谷|shibuya
新宿|shinjuku
ニューヨーク|new york
ロサンゼルス|los angeles
サンフランシスコ|san francisco
シカゴ|chicago
シアトル|seattle
ボストン|boston
マイアミ|miami
トロント|toronto
バンクーバー|vancouver
ロンドン|london
マンチェスター|manchester
パリ|paris
リヨン|lyon
ベルリン|berlin
ミュンヘン|munich
ハンブルク|hamburg
フランクフルト|frankfurt
ローマ|rome
ミラノ|milan
ベネチア,ヴェネツィア|venice
マドリード|madrid
バルセロナ|barcelona
リスボン|lisbon
アムステルダム|amsterdam
ブリュッセル|brussels
ウィーン|vienna
チューリッヒ|zurich
ジュネーブ|geneva
ストックホルム|stockholm
オスロ|oslo
コペンハーゲン|copenhagen
ヘルシンキ|helsinki
ワルシャワ|warsaw
プラハ|prague
ブダペスト|budapest
アテネ|athens
ダブリン|dublin
モスクワ|moscow
イスタンブール|istanbul
ドバイ|dubai
デリー|delhi
ムンバイ|mumbai
バンコク|bangkok
ハノイ|hanoi
ジャカルタ|jakarta
マニラ|manila
ソウル|seoul
北京|beijing
上海|shanghai
台北|taipei
シドニー|sydney
メルボルン|melbourne
カイロ|cairo
ナイロビ|nairobi
ケープタウン|cape town
`

const DAYS = `
今日,本日|today
明日,あした|tomorrow
昨日,きのう|yesterday
今夜,今晩|tonight
今週|this week
来週|next week
先週|last week
今月|this month
来月|next month
先月|last month
今年|this year
来年|next year
昨年,去年|last year
週末|weekend
月曜日,月曜|monday
火曜日,火曜|tuesday
水曜日,水曜|wednesday
木曜日,木曜|thursday
金曜日,金曜|friday
土曜日,土曜|saturday
日曜日,日曜|sunday
`

const FIRMS = `
マイクロソフト|microsoft
アップル|apple
テスラ|tesla
エヌビディア|nvidia
サムスン|samsung
インテル|intel
ディズニー|disney
ナイキ|nike
トヨタ|toyota
ホンダ|honda
日産|nissan
ソニー|sony
任天堂|nintendo
ソフトバンク|softbank
ユニクロ|uniqlo
スターバックス,スタバ|starbucks
マクドナルド|mcdonald's
`

const listOf = (text: string): string[] => text.split(',')

const toEntries = (lines: string, name: NameKind, also?: readonly string[]): LexiconEntry[] =>
  lines
    .trim()
    .split('\n')
    .map(line => {
      const [japanese, english] = line.split('|') as [string, string]
      return { words: [...listOf(japanese), ...listOf(english)], readings: [], name, ...(also && { also }) }
    })

export const NAMES: readonly LexiconEntry[] = [
  // A service for all of them hardly has the name of one.
  ...toEntries(COINS, 'coin', ['crypto']),
  ...toEntries(PLACES, 'place'),
  ...toEntries(DAYS, 'day'),
  ...toEntries(FIRMS, 'firm'),
]
