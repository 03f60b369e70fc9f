// The Japanese names of services, for requests in other languages. A line is the first name that a request is expanded to, and the names
// in Japanese. Written for this project, under its licence.

const LINES = `
air quality|大気汚染
books|本
book|本
business card|名刺
business days|営業日
charts|グラフ
code review|コードの改善点
company registry|法人番号
compares faces|顔写真
compares prices|値段を比べ
coordinates|緯度
copied passages|写された
crypto market|暗号資産
crypto prices|暗号資産の価格
currency exchange rates|為替レート
devices at home|家の機器
derivatives trading|先物取引
directions|経路
dns records|DNS
email verification|メールアドレスが実在
exchange rates|為替レート
file storage|ファイルを保存
financial statements|決算書
flights|航空券
gas fee|ガス代
grammar|校正
historical|過去
homes listings|不動産
hotels|ホテル
identity verification|本人確認
image recognition|写っている物
job board|求人
job search|求人
language identification|何語
language models|言語モデル
laws|法令
malware|マルウェア,危険
marketing copy|広告の文
math calculator|方程式
medicine|薬
movies|映画
movie|映画
nft collections|NFTコレクション
nutrition|栄養
objects photo|説明文
ocr|文字認識
official statistics|統計
one-time codes|確認コード
opening hours|営業時間
parcel tracking|荷物
parcel|荷物
payment link|支払い用のリンク
phone number lookup|電話番号
posts followers|投稿とフォロワー
product|商品
profit loss|損益
public holidays|祝日
public posts|SNSの投稿
public tenders|公開データ
receipts|レシート
recipe|レシピ
recording|録音
recurring task|時刻に知らせ
remove background|背景
resize images|画像
restaurant reservation|飲食店
restaurants|飲食店
route|経路
sanctions|制裁リスト
scam|詐欺
scientific papers|学術論文
sends email|メールを送
sentiment|感情
share prices|株価
sharpen|鮮明
shops opening hours|近くの店
shortest way stops|経路
smart home|家の機器
song title|曲名
sports scores|試合の速報
subtitles|字幕
summary|要約
symptom checker|症状
text to image|画像生成
text to speech|読み上げ,音声合成
text to video|動画生成
time zone|時差
timetables|時刻表
token balances|トークンと評価額
token transactions|トークン
toxic comments|不適切
transcription|文字起こし,書き起こし
translation|翻訳
travel time traffic|経路
tutor|教科
unit conversion|単位の換算
video transcript|動画の文字起こし
weather forecast|天気予報,降水確率
web search|検索結果
who owns a domain|ドメインの所有者
workout plans|運動の計画
written by a machine|AIで書かれた
yields|利回り
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
