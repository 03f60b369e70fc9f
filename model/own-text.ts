// What the project wrote itself: other names of things, what is a kind of what, and requests for services, in both languages.
import { join } from 'node:path'
import { SEARCH_LANGUAGES } from '../src/search/text/languages/languages.ts'
import { type Pair, type PairSources, readLines } from './pair.ts'

// What is a kind of what, where dictionaries do not tell or tell too much. A line is the names of a kind, then what belongs to it.
const LINES = `
スノースポーツ,ウィンタースポーツ,snow sports,winter sports|スキー,スノーボード,スノボ,ski,skiing,snowboard,snowboarding
マリンスポーツ,water sports|サーフィン,ダイビング,カヤック,surfing,diving,kayak
球技,ball games|サッカー,野球,テニス,バスケ,バレーボール,soccer,football,baseball,tennis,basketball,volleyball
格闘技,martial arts,combat sports|柔道,空手,ボクシング,相撲,judo,karate,boxing,sumo
スポーツ,sports|サッカー,野球,ゴルフ,テニス,マラソン,陸上,競馬,soccer,baseball,golf,tennis,marathon,basketball,cricket
ペット,pets|犬,猫,うさぎ,ハムスター,チワワ,柴犬,インコ,dog,cat,rabbit,hamster,puppy,kitten
動物,animals|犬,猫,馬,牛,鳥,象,ライオン,dog,cat,horse,cow,bird,elephant,lion
果物,フルーツ,fruit|りんご,みかん,ぶどう,いちご,桃,バナナ,orange,grape,strawberry,peach,banana
野菜,vegetables|にんじん,玉ねぎ,トマト,キャベツ,carrot,onion,tomato,cabbage
和食,日本食,日本料理,japanese food|すし,寿司,天ぷら,ラーメン,うどん,そば,味噌汁,sushi,tempura,ramen,udon,soba
飲み物,drinks,beverages|コーヒー,紅茶,ビール,ワイン,日本酒,coffee,tea,beer,wine,sake
食事,料理,food,meals|朝食,昼食,夕食,ランチ,ディナー,breakfast,lunch,dinner
公共交通機関,public transport,transit|電車,バス,地下鉄,新幹線,路線図,train,bus,subway,tram,metro
乗り物,車両,vehicles|車,自動車,トラック,バイク,car,truck,motorcycle
楽器,musical instruments|ギター,ピアノ,バイオリン,ドラム,フルート,guitar,piano,violin,drums,flute
自然災害,災害,natural disasters|地震,台風,津波,洪水,噴火,土砂崩れ,earthquake,typhoon,tsunami,flood,hurricane,wildfire
天気,気象,weather|傘,雨,雪,気温,湿度,降水確率,風速,暑い,寒い,umbrella,rain,snow,temperature,humidity,wind,sunny,cloudy
感染症,infectious diseases|インフルエンザ,コロナ,風疹,はしか,influenza,flu,covid,measles
病気,diseases|がん,糖尿病,高血圧,喘息,cancer,diabetes,hypertension,asthma
医薬品,薬,medicines,drugs|抗生物質,ワクチン,鎮痛剤,antibiotic,vaccine,painkiller
暗号資産,仮想通貨,cryptocurrency,crypto|ビットコイン,イーサリアム,ソラナ,リップル,ドージコイン,bitcoin,btc,ethereum,eth,solana,sol,xrp,dogecoin
ステーブルコイン,stablecoin|usdc,usdt,dai,eurc,jpyc,テザー,tether
ブロックチェーン,blockchain|イーサリアム,ソラナ,ポリゴン,アービトラム,アバランチ,ethereum,solana,polygon,arbitrum,avalanche,optimism,base chain
分散型金融,decentralized finance,defi|スワップ,流動性,レンディング,利回り,ステーキング,swap,liquidity,lending,yield,staking,dex
デジタルコレクティブル,digital collectible,nft|非代替性トークン,コレクション,フロア価格,non fungible token,floor price,mint
ウォレット,wallet|メタマスク,残高,秘密鍵,metamask,private key,seed phrase
ブロックエクスプローラー,block explorer|トランザクション,取引履歴,etherscan,transaction,block,tx hash
金融商品,投資,investment,securities|株,株式,債券,投資信託,先物,stock,bond,fund,etf,futures,options
通貨,currency|円,ドル,ユーロ,ポンド,元,yen,dollar,euro,pound,yuan
言語モデル,大規模言語モデル,language model,llm|gpt,チャットgpt,クロード,ジェミニ,chatgpt,claude,gemini,llama,mistral
画像生成,image generation|ミッドジャーニー,イラスト生成,midjourney,stable diffusion,dall e,text to image
音声合成,読み上げ,text to speech,tts|ナレーション,音声読み上げ,ボイス,narration,voice over,speech synthesis
音声認識,文字起こし,speech to text,transcription|議事録,書き起こし,字幕起こし,transcribe,minutes,dictation
自然言語処理,natural language processing,nlp|感情分析,固有表現,要約,翻訳,sentiment,entity,summarization,translation
ソーシャルメディア,social media,sns|ツイッター,フェイスブック,インスタグラム,ティックトック,twitter,facebook,instagram,tiktok,linkedin,reddit
動画配信,video streaming|ユーチューブ,ネットフリックス,youtube,netflix,twitch
チャット,メッセージ,messaging,chat|スラック,ディスコード,テレグラム,ライン,slack,discord,telegram,whatsapp,line
文書形式,ファイル形式,file format,document|pdf,ワード,エクセル,csv,マークダウン,word,excel,markdown,docx,html
画像形式,image format|png,jpeg,webp,svg,gif
プログラミング言語,programming language|パイソン,ジャバスクリプト,ルビー,python,javascript,typescript,rust,java,ruby
データベース,database|ポスグレ,マイエスキューエル,postgres,postgresql,mysql,sqlite,mongodb,redis
クラウド,cloud|aws,アマゾンウェブサービス,azure,google cloud,s3,lambda
家電,家庭,smart home,home appliances|照明,エアコン,掃除機,電球,ライト,lights,air conditioner,vacuum,thermostat,lamp
予定,カレンダー,calendar,schedule|会議,打ち合わせ,約束,誕生日,meeting,appointment,event,birthday
リマインダー,reminder|忘れないように,締め切り,remind me,deadline,alarm
買い物,ショッピング,shopping|買い物リスト,通販,注文,カート,grocery list,order,cart,online store
宿泊,accommodation,lodging|ホテル,旅館,民宿,hotel,hostel,inn,airbnb
航空,flights,aviation|飛行機,航空券,空港,便,airplane,flight ticket,airport,airline
配送,delivery,shipping|荷物,宅配,追跡番号,parcel,courier,tracking number
法律,law,legal|判例,契約書,特許,訴訟,court decision,contract,patent,lawsuit
会計,accounting|請求書,領収書,経費,確定申告,invoice,receipt,expense,tax return
求人,jobs,recruiting|履歴書,面接,転職,resume,cv,interview
学術,academic,research|論文,引用,査読,paper,citation,journal,arxiv,doi
地理情報,geographic information,location|住所,郵便番号,緯度,経度,地図,address,zip code,latitude,longitude,map
セキュリティ,security|脆弱性,マルウェア,フィッシング,パスワード,vulnerability,malware,phishing,password
本人確認,identity verification,kyc|パスポート,免許証,顔認証,passport,driving licence,face match
`

const listOf = (text: string): string[] => text.split(',').filter(word => word !== '')

const KINDS: readonly { readonly names: readonly string[]; readonly members: readonly string[] }[] =
  LINES.trim()
    .split('\n')
    .map(line => {
      const [names, members] = line.split('|') as [string, string]
      return { names: listOf(names), members: listOf(members) }
    })

const toPairs = (from: readonly string[], to: readonly string[]): Pair[] =>
  from.flatMap(a => to.flatMap(b => (a === b ? [] : [{ a, b }])))

/** What the search knows by other names, and kinds. */
export function addLexiconPairs(sources: PairSources): void {
  const lexicon = SEARCH_LANGUAGES.all.flatMap(({ text }) => text.lexicon ?? [])
  sources.set(
    'lexicon',
    lexicon.flatMap(({ words, readings }) => [...toPairs(words, words), ...toPairs(readings, words)]),
  )
  sources.set(
    'kinds',
    KINDS.flatMap(({ names, members }) => [...toPairs(members, names), ...toPairs(names, names)]),
  )
}

/** As a provider describes a service, and four requests for it in each language. */
type Service = { en: string; ja: string; askEn: string[]; askJa: string[] }

/** One source for each request and language of the description: within a batch, each kind then stands once. */
export function addRequestPairs(sources: PairSources): void {
  for (const line of readLines(join(import.meta.dir, 'requests.ndjson'))) {
    const { en, ja, askEn, askJa } = JSON.parse(line) as Service
    const pairs = [...askEn, ...askJa].flatMap(a => [en, ja].map(b => ({ a, b })))
    for (const [i, pair] of pairs.entries()) {
      const name = `requests_${i}`
      sources.set(name, [...(sources.get(name) ?? []), pair])
    }
  }
}
