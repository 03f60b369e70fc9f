// Messages that wrap others, and those that the client creates itself, in Japanese.
import type { BASE_CODES } from '../base-codes.ts'
import type { PartWords } from '../kinds.ts'
import type { Words } from '../words.ts'

const RESOURCE: PartWords<'resource'> = {
  service: 'サービス',
  webhook: 'Webhook',
  key: 'キー',
  report: '通報',
}

export const BASE: Words<typeof BASE_CODES> = {
  text: ({ text }) => text,
  several: ({ messages }, tell) => messages.map(tell).join(''),
  invalid_field: ({ path, problem, more }, tell) =>
    `${path}：${tell(problem).replace(/。$/, '')}${more > 0 ? `（ほか${more}件）` : ''}。`,
  request_key_malformed: '1〜255文字の可視文字にしてください',
  id_unknown: ({ what }) => `このIDの${RESOURCE[what]}はありません。`,
  key_not_sendable: 'APIキーに使えない文字があります。',
  answered_status: ({ url, status }) => `${url} は ${status} を返しました。`,
  directory_unreachable: ({ url }) =>
    `${url} で応答する案内所はありません。serve で始めるか、--url か SHIRUBE_URL でほかのアドレスを指定してください。`,
  write_redirected: ({ url, to }) =>
    `${url} は書き込みを ${to} へ転送しようとしました。そこへは何も送っていません。そこが案内所であれば、そのURLを使ってください。`,
  not_a_directory: ({ url }) => `${url} で応答したのは案内所ではないか、接続が切れました。`,
}
