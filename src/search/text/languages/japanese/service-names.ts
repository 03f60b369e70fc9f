// The Japanese names of services, for requests in other languages. A line is the first name that a request is expanded to, and the names
// in Japanese. Written for this project, under its licence.

const LINES = `
book|本
coordinates|緯度
copied passages|写された
crypto prices|暗号資産の価格
currency exchange rates|為替レート
devices at home|家の機器
directions|経路
exchange rates|為替レート
financial statements|決算書
gas fee|ガス代
historical|過去
homes listings|不動産
identity verification|本人確認
image recognition|写っている物
job|求人
language identification|何語
medicine|薬
movie|映画
objects photo|説明文
ocr|文字認識
one-time codes|確認コード
opening hours|営業時間
parcel|荷物
product|商品
profit loss|損益
recipe|レシピ
recording|録音
recurring task|時刻に知らせ
remove background|背景
route|経路
sanctions|制裁リスト
scam|詐欺
share prices|株価
sharpen|鮮明
shops opening hours|近くの店
shortest way stops|経路
smart home|家の機器
song title|曲名
sports scores|試合の速報
summary|要約
symptom checker|症状
text to image|画像生成
text to speech|読み上げ,音声合成
text to video|動画生成
time zone|時差
token transactions|トークン
toxic comments|不適切
transcription|文字起こし,書き起こし
translation|翻訳
travel time traffic|経路
unit conversion|単位の換算
video transcript|動画の文字起こし
weather forecast|天気予報,降水確率
who owns a domain|ドメインの所有者
written by a machine|AIで書かれた
yield|利回り
`

export const JAPANESE_SERVICE_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  LINES.trim()
    .split('\n')
    .map(line => {
      const [name, japanese] = line.split('|') as [string, string]
      return [name, japanese.split(',')]
    }),
)
