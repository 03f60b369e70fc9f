// サインインと、登録者が自分のサービスに対して行うこと。
import type { ENGLISH_OWNER, ENGLISH_REPORT, ENGLISH_SELLER } from '../english/owner.ts'

export const JAPANESE_OWNER: typeof ENGLISH_OWNER = {
  signedInAs: 'サインイン中：',
  signedInByKey: 'APIキーでサインイン中',
  signOut: 'サインアウト',
  signIn: {
    title: 'サインイン',
    intro:
      '自分のサービスの様子を見て、内容を変えたり、提供を終えたりできます。サインインは無料で、アカウントも要りません。',
    byWallet: 'このブラウザのウォレットで',
    byWalletText:
      '支払いを受け取るウォレットで、このディレクトリの名が入った文面に署名します。署名に費用はかからず、チェーンには何も送られません。',
    unnamedWallet: 'ブラウザのウォレット',
    notSigned: 'ウォレットが署名しなかったため、サインインしていません。',
    noWallets: 'このディレクトリで使えるのはAPIキーだけです。',
    byHand: '署名でサインイン',
    byHandText:
      '文面を受け取り、ハードウェアウォレットなどお使いのウォレットで署名して、その署名を貼り付けてください。署名に費用はかかりません。',
    address: 'ウォレットのアドレス',
    getMessage: '文面を受け取る',
    message: '署名する文面',
    messageHelp:
      'このまま変えずに、ウォレットの「メッセージに署名」の機能で署名してください。5分間有効です。',
    signature: '署名',
    byKey: 'APIキーでサインイン',
    byKeyText:
      '運営者から受け取ったキー、またはウォレットで得たキーを使います。ブラウザはスクリプトから読めない形で12時間だけ保持します。',
    otherWay: '別の方法',
  },
  title: '自分のサービス',
  intro: '自分で登録したものと、自分のウォレットに支払われるものです。',
  order: '対応が必要なものが先、続いて新しい順です。',
  none: 'まだ何も登録されていません',
  noneHint: 'エンドポイントのURLを貼り付けるだけで、残りはそこから読み取ります。',
  next: 'さらに古いもの',
  manage: '管理する',
  others: notes => `管理ページに、ほか${notes}件の注意があります`,
  publicPage: '公開ページ',
  fine: '問題ありません。エンドポイントは掲載どおりに応答しています。',
  mend: 'できること',
  hiddenSince: time =>
    `${time} から、ほかの人には見えません。支払う前に問い合わせた人には、支払わないよう伝えています。`,
  hiddenWhy: '理由',
  hiddenMend: '再び表示できるのは運営者だけです。運営者に見直しを求めるか、サービスを削除できます。',
  operatorContact: '運営者の連絡先',
  ofOthers: '第三者による登録',
  ofOthersText: '支払い先はあなたのウォレットです。引き継ぐと、変更できるのはあなただけになります。',
  claim: '引き継ぐ',
  probe: '今すぐ確認',
  probeSoon: '数秒のうちに確認します。',
  probeFrom: time => `続けて求められたため、1分に1回ずつ確認しています。今回の確認は ${time} からです。`,
  probed: time => `${time} に確認しました。`,
  done: {
    probe: '確認を受け付けました。',
    edit: '変更しました。',
    retire: '提供を終了しました。',
    restore: '提供を再開しました。',
    claim: '登録を引き継ぎました。',
    remove: '削除しました。',
    hook: 'Webhookを追加しました。受信側が応答するまで、メッセージは送りません。',
    test: 'テストが届きました。',
    unhook: 'Webhookを削除しました。',
  },
  proof: {
    title: 'ドメインで証明する',
    text: host =>
      `${host} には、この登録を示す記載がまだありません。記載すると、ドメインの運営者による登録だと表示されます。このファイルを公開してください。`,
    place: 'アドレス',
    content: '内容',
    fileNote: 'ステータスは200、Content‑Typeは application/json とし、リダイレクトは使いません。',
    when: 'この画面から確認するたびに、それ以外は1日に1回、この記載を調べます。',
    unverified:
      'この画面から確認するたびに、それ以外は1日に1回、この記載を調べます。サービスが検証済みになると有効になります。',
    look: '今すぐ証明を調べる',
  },
  edit: '内容を変える',
  editText: 'エンドポイント・ネットワーク・アドレスを変えると、状態・信頼度・履歴は最初からになります。',
  save: '保存する',
  retire: '提供を終える',
  retireText: '「提供終了」として掲載は残り、メッセージが表示されます。再開するまで確認は行いません。',
  retireMessage: '利用者に伝えること',
  restore: '再開する',
  remove: 'サービスを削除する',
  removeText: 'すべての一覧から消え、元に戻せません。変更の記録だけが残ります。',
  removeSure: 'はい、削除します',
  removeButton: 'サービスを削除',
  rank: {
    ask: 'なぜ1位ではないのか',
    text: '利用者が検索しそうな文を入れると、このサービスの順位、上位のサービスとの違い、順位を上げる方法がわかります。',
    label: '利用者が検索する文',
    example: '東京の天気予報を安く',
    show: '順位を見る',
    place: (place, total) => `${total}件中${place}位`,
    first: '1位です。',
    beyond: total => `${total}件のうち、上位100件に入っていません`,
    unfit: '条件や内容の合うサービスに入っていません',
    before: '上位のサービス',
    decides: {
      words: '文の言葉がより多いか、より目立つ所にあります',
      meaning: '意味がより近いです',
      standing: '裏付けがより多いです',
      wish: '希望により合っています',
      seller: '別の提供者のもので、上位にある件数が少なめです',
      copy: '同じ名前か説明で、こちらのほうが確かです',
      danger: '掲載どおりに支払えます',
      sample: '実在します',
      tie: 'スコアは同じで、信頼度が高いか、登録が先です',
    },
    help: '順位を上げるには',
  },
  hooks: 'Webhookで知らせを受ける',
  hooksText: '状態・価格・支払い先の変更やテスト購入があると、署名付きのメッセージでお知らせします。',
  hooksConfirm:
    '受信側が webhook.challenge のメッセージに10秒以内に応答すると、有効になります。応答のステータスは2xx、本文は data.challenge の値です。「テストを送る」でもう一度送れます。',
  hooksReference: 'APIリファレンスで、メッセージと応答の形を見る',
  hookUrl: 'メッセージの送り先',
  hookAdd: 'Webhookを追加',
  hookTest: 'テストを送る',
  hookRemove: 'Webhookを削除',
  hookAll: 'すべてのサービス',
  hookMine: 'ご自身のサービス',
  hookOf: services => `${services}件のサービス`,
  hookStates: {
    unconfirmed: '受信側の応答待ち',
    active: '有効',
    failing: '失敗中（再試行します）',
    disabled: '無効',
  },
  secret: 'Webhookの署名用シークレット（表示は今回だけ）',
  secretText: '受信側はこれでメッセージを検証します（Standard Webhooks）。',
}

// サービスを運営者に通報すること。

export const JAPANESE_REPORT: typeof ENGLISH_REPORT = {
  link: 'このサービスを通報する',
  title: 'サービスを運営者に通報する',
  intro:
    '通報を読み、確かめるのはこのディレクトリの運営者だけです。通報だけで表示が変わることはなく、返金の手続きでもありません。',
  signInFirst:
    '先にウォレットかAPIキーでサインインしてください。無料です。通報が大量に送りつけられるのを防ぐためです。',
  kind: '問題の種類',
  choose: '選んでください',
  kinds: {
    impostor: 'ほかのサービスになりすましている',
    bait_price: '掲載より高い金額を請求する',
    no_delivery: '支払っても何も届かない',
    malware: '有害な内容を返す',
    other: 'そのほか',
  },
  text: '何が、いつ起きたか',
  textHelp: '1,000文字まで。URL・日時・トランザクションなど、運営者が確かめられることがあると助かります。',
  seen: 'サインインに使ったウォレットまたはキーも、運営者に伝わります。',
  send: '通報する',
  done: '通報しました',
  doneText: '運営者に届きました。対応が済むと、このサービスをもう一度通報できます。',
}

// Everything that is paid to one wallet, in Japanese.

export const JAPANESE_SELLER: typeof ENGLISH_SELLER = {
  title: address => `支払い先 ${address}`,
  intro:
    'このウォレットを支払い先とする登録です。支払い先は誰でも書けるので、そのウォレットが署名した登録には印が付きます。',
  claimed: 'ウォレット署名済み',
  payments: '支払い',
  missing: 'このアドレスで支払いを受けるサービスはありません',
  missingHint: 'このアドレスを支払い先とする登録はありません。アドレスに誤りがないか確かめてください。',
  more: 'このウォレットで支払いを受けるサービス一覧',
}
