// このディレクトリとは何か、今どうなっているか。
import type { ENGLISH_ABOUT, ENGLISH_STATUS } from '../english/about.ts'

export const JAPANESE_STATUS: typeof ENGLISH_STATUS = {
  title: '稼働状況',
  states: {
    starting: 'カタログを読み込み中です',
    ready: '正常に動いています',
    unprobed: '動いています。このサーバーは確認を行わない設定です',
    behind: '動いていますが、一部に遅れや失敗があります',
    degraded: '保存ができないため、メモリから応答しています',
  },
  troubles: {
    lag: time => `カタログへの反映が${time}遅れています。`,
    nobodyProbes: '今はどのサーバーも確認を行っていません。',
    probingOff: 'このサーバーは確認を行わない設定です。',
    probes: (due, probed) =>
      `確認が遅れています。${due}が確認待ちで、直近1時間に確認したのは${probed}件です。`,
    sources: hosts => `取り込みに失敗しています：${hosts.join('、')}`,
  },
  catalog: 'カタログ',
  services: 'サービス',
  samples: '架空の見本',
  seq: '変更の累計',
  lag: '反映の遅れ',
  version: 'バージョン',
  storeErrors: 'データベースエラー',
  probing: '確認',
  probingText:
    '掲載中のすべてのサービスを、支払わずに確認します。登録の直後に、その後は約1時間ごとに、失敗が続く間は間隔を空けて行います。',
  probingOff:
    'このサーバーは確認を行わない設定です。別のサーバーが確認しないかぎり、状態・稼働率・信頼度は変わりません。',
  probingStopped:
    '今はどのサービスの確認も行われていません。状態・稼働率・信頼度は、最後の確認の時点のものです。',
  probedBy: '確認の担当',
  probers: {
    this: 'このサーバー',
    another: '別のサーバー',
    nobody: '今はなし',
  },
  due: '確認待ち',
  dueOf: (number, orMore) => `${number}件${orMore ? '以上' : ''}`,
  lastProbe: '最後の確認',
  noProbe: 'まだありません',
  lastHour: '直近1時間の確認',
  sources: '取り込み元',
  sourceKinds: {
    shirube: 'Shirubeのディレクトリ',
    list: 'x402の一覧',
    export: 'エクスポート',
    origin: 'x402の宣言文書',
  },
  noSources: 'ありません。掲載はすべて、登録かファイルの読み込みによるものです。',
  sourcesAway: '今は読み出せません。',
  succeeded: '最後の取り込み：',
  never: 'まだ取り込んでいません',
  failing: times => (times === '1' ? '1回失敗' : `${times}回続けて失敗`),
  forPrograms: '同じ内容をJSONで',
}

export const JAPANESE_ABOUT: typeof ENGLISH_ABOUT = {
  title: 'このサイトについて',
  intro:
    'Shirube（標）は、x402でリクエストごとに支払いを受けるAPIサービスのディレクトリです。すべてのサービスを、支払わずに定期的に確認し、わかったことを示します。',
  x402: 'x402とは',
  x402Text: [
    'HTTPには初めから402「支払いが必要」というステータスコードがありました。x402では、APIがこのコードで価格・ネットワーク・アドレスを示し、クライアントはその額を支払って、同じリクエストを送り直します。',
    'アカウントの作成も契約も要らないので、プログラムは見つけたその場でサービスを使えます。ディレクトリの役目は、それを見つけること、そして今も応答するかどうかを確かめることです。',
  ],
  readers: '目的から選ぶ',
  readerTexts: {
    buyers: {
      title: 'APIを探している方',
      text: '必要なことを文で書いてください。価格、提供者の証明、これまでの応答、呼び出すためのコードがわかります。',
      link: '検索する',
    },
    sellers: {
      title: 'APIを提供している方',
      text: 'エンドポイントのURLを貼り付けてください。価格・ネットワーク・ウォレットはそこから読み取り、無料ですぐに掲載します。',
      link: 'サービスを登録する',
    },
    everybody: {
      title: 'このサイトの様子を知りたい方',
      text: '確認の記録、取り込み元、カタログの状態は、どなたでもご覧になれます。',
      link: '稼働状況',
    },
  },
  trusted: '何を信じてよいか',
  trustedText: [
    '名前と説明は登録者が書いたもので、誰でも何でも登録できます。「検証済み」は、掲載どおりのウォレットとネットワークに、掲載以下の額を求めていることを、エンドポイント自身の応答で確かめたという意味です。',
    '応答の質は保証しません。クライアントに上限を設定し、支払う前に、サービスのページ上部の注意をお読みください。',
  ],
  use: 'プログラムから使う',
  links: {
    docs: ['APIリファレンス', 'すべての呼び出しと項目'],
    openapi: ['OpenAPI文書', 'コード生成やツール向け'],
    export: ['エクスポート', 'カタログ全体を一つの文書で'],
    categories: ['カテゴリ', 'ID、名前、件数'],
    agents: ['エージェント向け', 'AIエージェントからの使い方とMCP'],
    discovery: ['x402の一覧', 'x402形式のカタログ'],
    ready: ['稼働確認', '運営者と負荷分散装置向け'],
  },
  mcp: 'MCPサーバー',
}
