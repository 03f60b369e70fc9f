// Everything that is paid to one wallet, in Japanese.
import type { ENGLISH_SELLER } from '../english/seller.ts'

export const JAPANESE_SELLER: typeof ENGLISH_SELLER = {
  title: address => `支払い先 ${address}`,
  intro:
    'このウォレットを支払い先とする登録です。支払い先は誰でも書けるので、そのウォレットが署名した登録には印が付きます。',
  services: 'サービス',
  verified: '検証済み',
  claimed: 'ウォレット署名済み',
  payments: '支払い',
  found: 'サービス',
  missing: 'このアドレスで支払いを受けるサービスはありません',
  feed: '変更をフィードで追う（Atom）',
  missingHint: 'このアドレスを支払い先とする登録はありません。アドレスに誤りがないか確かめてください。',
  more: 'このウォレットで支払いを受けるサービス一覧',
}
