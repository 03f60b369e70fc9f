// サービスを運営者に通報すること。
import type { ENGLISH_REPORT } from '../english/report.ts'

export const JAPANESE_REPORT: typeof ENGLISH_REPORT = {
  link: 'このサービスを通報する',
  title: 'サービスを運営者に通報する',
  intro:
    '通報を読み、確かめるのはこの案内所の運営者だけです。通報だけで表示が変わることはなく、返金の手続きでもありません。',
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
  already: 'このサービスはすでに通報済みです',
  alreadyText: '前の通報への対応がまだ済んでいないため、今回の内容は追加していません。前の通報：',
}
