// Messages about a webhook delivery, in Japanese.
import type { WEBHOOK_CODES } from '../webhook-codes.ts'
import type { Words } from '../words.ts'

const HOW_TO_RESUME = 'チャレンジの値を返すようにしてから、テストを送ってください。'

export const WEBHOOK: Words<typeof WEBHOOK_CODES> = {
  delivery_received: ({ status }) => `${status} が返りました。`,
  delivery_not_received: ({ status }) => `${status} が返りました。受け取りのしるしになるのは2xxだけです。`,
  delivery_redirected: '転送されますが、転送先には送りません。最終的なアドレスを指定してください。',
  delivery_to_reserved_name: ({ host }) => `${host} は例や試験のための名前なので、何も送りません。`,
  owner_without_key: 'このWebhookを作ったAPIキーは、取り消されたか期限が切れています。',
  delivery_refused: '410 が返りました。これ以上のメッセージは受け取らないという意味です。',
  nothing_delivered: ({ days, last }, tell) =>
    `${days}日のあいだ何も届いていません。最後の結果：${tell(last)}`,
  receiver_moved: '同意したアドレスには誰もおらず、ホスト名はほかのアドレスも指しています。',
  receiver_unconfirmed: ({ last }, tell) => `受信側が同意していません。${tell(last)}${HOW_TO_RESUME}`,
  messages_in_flight: ({ host }) => `${host} へのメッセージをすでに多く送信中です。`,
  challenges_spent: ({ place }) => `この1時間に、${place} へ多くのチャレンジを送りました。`,
  challenges_spent_by_owner: 'この1時間に、あなたのWebhookのために多くのチャレンジを送りました。',
  challenge_answered: 'チャレンジに答えました。',
  challenge_not_answered: ({ status }) => `${status} が返りましたが、チャレンジの値ではありません。`,
}
