// The content of a Japanese request: 「家賃を払うようにリマインド」「海の絵を描いて」. The service that it needs makes reminders, pictures or
// messages of any content.

const CONTENT = '(?<content>[^。、!?！？]+?)'
const WORKS =
  '(?:絵|グラフ|チャート|図表|イラスト|画像|写真|ロゴ|ポスター|アイコン|壁紙|曲|歌|音楽|詩|物語|小説|作文|動画|アニメ|メール|手紙|ブログ|記事|ツイート|スピーチ)'

const PATTERNS = [
  // 家賃を支払うようにリマインドする · 薬を飲むのを忘れないように
  `${CONTENT}(?:する)?(?:ように|ことを|のを)[^。、]{0,12}?(?:リマインド|思い出させ|思い出さ|知らせ|通知し|覚えておい|忘れない)`,
  // レポートの提出を思い出させて
  `${CONTENT}を(?:リマインド|思い出させ)`,
  // 牛乳を買い物リストに追加 · 歯医者をカレンダーに入れて
  `${CONTENT}を(?:私の)?(?:(?:やること|todo|買い物|タスク)の?リスト|リスト|カレンダー|予定表|予定)に(?:追加|入れ|登録|書|加え)`,
  // 海の絵を描いて · 猫の画像を生成
  `${CONTENT}(?:の|に(?:ついて|関する)の?)${WORKS}を?(?:描|書|生成|作|つく)`,
  // 睡眠についての論文 · 選挙に関するニュース
  `${CONTENT}(?:(?:についての|に関する)(?:論文|学術論文|ニュース|記事|書籍|研究)|の(?:論文|学術論文|先行研究|ニュース)|に関する判例|についての判例)(?!を?(?:書|要約|翻訳|校正|添削))`,
  // 論文をキーワードで検索
  `(?<content>キーワード)(?:で|から|を使って)(?:検索|探|調べ)`,
  // データアナリストの平均年収
  `${CONTENT}の(?:平均)?(?:年収|給料|給与)`,
  // 遅れると妻にメッセージを送る
  `${CONTENT}(?<=[るたいすだん])(?:と|って)[^。、]{0,10}?(?:メール|メッセージ|ライン|sms|slack)?(?:で|を|に)?(?:送|伝え|連絡し|返信し|投稿し|つぶや)`,
  // 「病院はどこですか」を英語に訳して
  `「(?<content>[^」]+)」(?:を|って|という)`,
  // 請求書をJSONに: most services return it
  `(?<!(?:csv|xml|yaml|toml|html|excel|エクセル|sql|rss)(?:ファイル|データ)?(?:を|から))(?<content>json)(?:形式)?(?:で|に|として)`,
  // PDFの請求書: the content matters more than the format
  `(?<content>pdf|エクセル|excel|ワード|word)(?:形式|ファイル)?の(?:請求書|領収書|レシート|契約書|明細|報告書|履歴書|論文|申込書)`,
].map(pattern => new RegExp(pattern, 'giu'))
const HINT =
  /論文|キーワード|判例|年収|給料|給与|ニュース|記事|書籍|研究|リマインド|リマインダー|アラーム|思い出|知らせ|通知|覚えて|忘れ|リスト|カレンダー|予定|描|書|生成|作|つく|送|伝え|連絡|返信|投稿|json|pdf|excel|エクセル|word|ワード|」/iu

/** A preceding action that is joined by て is not content: 「アラームをセットして、卵を買うのを忘れないように」. */
const withoutDeed = (content: string): string => content.split(/[てで](?=\P{Script=Hiragana})/u).at(-1)!

export const toJapaneseAsides = (text: string): string[] =>
  HINT.test(text)
    ? PATTERNS.flatMap(pattern =>
        [...text.matchAll(pattern)].map(({ groups }) => withoutDeed(groups!.content!)),
      )
    : []
