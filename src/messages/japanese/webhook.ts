// Messages about a webhook delivery, in Japanese.
import type { WEBHOOK_CODES } from '../webhook-codes.ts'
import type { Words } from '../words.ts'

export const WEBHOOK: Words<typeof WEBHOOK_CODES> = {
  delivery_received: ({ status }) => `${status} が返りました。`,
  delivery_not_received: ({ status }) => `${status} が返りました。受け取りのしるしになるのは2xxだけです。`,
  delivery_redirected: '転送されますが、転送先には送りません。最終的なアドレスを指定してください。',
  delivery_to_reserved_name: ({ host }) => `${host} は例や試験のための名前なので、何も送りません。`,
  challenge_answered: 'チャレンジに答えました。',
  challenge_not_answered: ({ status }) => `${status} が返りましたが、チャレンジの値ではありません。`,
}
