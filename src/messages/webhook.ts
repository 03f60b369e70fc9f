// Messages about a webhook delivery.
import { type Messages, worded } from './kinds.ts'

const HOW_TO_RESUME = {
  en: 'Respond to challenges with their value, then send a test delivery.',
  ja: 'チャレンジの値を返すようにしてから、テストを送ってください。',
}

export const WEBHOOK = {
  delivery_received: { en: 'It answered with {status:number}.', ja: '{status} が返りました。' },
  delivery_not_received: {
    en: 'It answered with {status:number}; only a 2xx status counts as received.',
    ja: '{status} が返りました。受け取りのしるしになるのは2xxだけです。',
  },
  delivery_redirected: {
    en: 'It redirects, which is not followed; use the final URL.',
    ja: '転送されますが、転送先には送りません。最終的なアドレスを指定してください。',
  },
  delivery_to_reserved_name: {
    en: '{host} is reserved for examples and tests, so nothing is sent there.',
    ja: '{host} は例や試験のための名前なので、何も送りません。',
  },
  delivery_refused: {
    en: 'It answered with 410: it wants no more messages.',
    ja: '410 が返りました。これ以上のメッセージは受け取らないという意味です。',
  },
  owner_without_key: {
    en: 'The API key that it belongs to was revoked or has expired.',
    ja: 'このWebhookを作ったAPIキーは、取り消されたか期限が切れています。',
  },
  nothing_delivered: {
    en: 'Nothing has arrived for {days:number} days. Last: {last:message}',
    ja: '{days}日のあいだ何も届いていません。最後の結果：{last}',
  },
  receiver_unconfirmed: worded(
    { last: 'message' },
    ({ last }, tell) => `Its receiver has not confirmed. ${tell(last)} ${HOW_TO_RESUME.en}`,
    ({ last }, tell) => `受信側が同意していません。${tell(last)}${HOW_TO_RESUME.ja}`,
  ),
  messages_in_flight: {
    en: 'Too many messages to {host} are in flight.',
    ja: '{host} へのメッセージをすでに多く送信中です。',
  },
  challenges_spent: {
    en: 'Many challenges were sent to {place} within the hour.',
    ja: 'この1時間に、{place} へ多くのチャレンジを送りました。',
  },
  challenges_spent_by_owner: {
    en: 'Many challenges were sent for your webhooks within the hour.',
    ja: 'この1時間に、あなたのWebhookのために多くのチャレンジを送りました。',
  },
  challenge_answered: { en: 'It answered the challenge.', ja: 'チャレンジに答えました。' },
  challenge_not_answered: {
    en: 'It answered with {status:number}, but not with the value of the challenge.',
    ja: '{status} が返りましたが、チャレンジの値ではありません。',
  },
} as const satisfies Messages
