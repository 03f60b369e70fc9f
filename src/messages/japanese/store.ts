// Why the store does not work, or cannot be copied, in Japanese.
import type { STORE_CODES } from '../store-codes.ts'
import type { Words } from '../words.ts'

export const STORE: Words<typeof STORE_CODES> = {
  store_away: 'データベースに接続できません。少しおいてもう一度お試しください。',
  store_busy: 'データベースはほかの書き込みでふさがっています。少しおいてもう一度お試しください。',
  store_crowded: 'データベースは今これ以上の処理を受け付けられません。少しおいてもう一度お試しください。',
  store_full: 'データベースのディスクがいっぱいです。空きを作って試してください。',
  store_file_read_only: 'データベースは読めますが書けません。ファイルとフォルダの権限を確かめてください。',
  store_read_only: 'データベースは今、読めますが書けません。少しおいてもう一度お試しください。',
  store_file_failed: 'データベースのファイルを読み書きできませんでした。ディスクを確かめてください。',
  store_damaged: 'データベースが壊れています。バックアップから復元してください。',
  store_file_gone:
    'データベースのファイルが消されたか動かされました。元に戻すか、正しいファイルで始め直してください。',
  store_file_replaced:
    'データベースの場所に別のファイルがあります。元のものを戻すか、これを使うなら始め直してください。',
  store_file_cut:
    '動いている間にデータベースのファイルが空にされたか切り詰められました。止めて、バックアップを復元してください。',
  store_log_gone:
    'データベースのファイルの隣のログが消されたか替えられました。プロセスを止めてログの中身をファイルに移させ、始め直してください。',
  store_file_unseen: 'データベースのファイルを確かめられません。ディスクとフォルダの権限を調べてください。',
  store_user_refused: 'データベースが DATABASE_URL のユーザーかパスワードを拒みました。直してください。',
  store_database_missing: 'DATABASE_URL の名前のデータベースがありません。作るか、名前を直してください。',
  store_user_not_allowed:
    'DATABASE_URL のユーザーにはデータベースでの権限がありません。データベースの所有者にしてください。',
  store_closed: 'データベースは閉じています。',
  store_not_empty: 'コピー先が空ではありません。空のデータベースを指定してください。',
  backup_exists: '同じ名前のファイルがあります。上書きはしません。別の名前を指定してください。',
  backup_needs_file:
    'ファイルにコピーできるのはデータベースのファイルだけです。pg_dump を使うか、`shirube copy <database-url>` で別のデータベースへすべてを移してください。',
}
