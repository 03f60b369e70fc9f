// What keeps the store from working, and a backup from being restored, in Japanese.
import type { STORE_CODES } from '../store-codes.ts'
import type { Words } from '../words.ts'

export const STORE: Words<typeof STORE_CODES> = {
  store_away: '保管庫に今つながりません。少しおいて試してください。',
  store_busy: '保管庫はほかの書き込みで塞がっています。少しおいて試してください。',
  store_crowded: '保管庫は今これ以上の仕事を受けられません。少しおいて試してください。',
  store_full: '保管庫のディスクがいっぱいです。空きを作って試してください。',
  store_file_read_only: '保管庫は読めますが書けません。ファイルとフォルダの権限を確かめてください。',
  store_read_only: '保管庫は今、読めますが書けません。少しおいて試してください。',
  store_file_failed: '保管庫のファイルを読み書きできませんでした。ディスクを確かめてください。',
  store_damaged: '保管庫が壊れています。バックアップから復元してください。',
  store_file_gone:
    '保管庫のファイルが消されたか動かされました。元に戻すか、正しいファイルで始め直してください。',
  store_file_replaced:
    '保管庫の場所に別のファイルがあります。元のものを戻すか、これを使うなら始め直してください。',
  store_file_cut:
    '動いている間に保管庫のファイルが空にされたか切り詰められました。止めて、バックアップを復元してください。',
  store_log_gone:
    '保管庫のファイルの隣のログが消されたか替えられました。プロセスを止めてログの中身をファイルに移させ、始め直してください。',
  store_file_unseen: '保管庫のファイルを確かめられません。ディスクとフォルダの権限を調べてください。',
  store_user_refused: '保管庫が DATABASE_URL の利用者かパスワードを拒みました。直してください。',
  store_database_missing: 'DATABASE_URL の名前のデータベースがありません。作るか、名前を直してください。',
  store_user_not_allowed:
    'DATABASE_URL の利用者にはデータベースでの権限がありません。データベースの所有者にしてください。',
  store_closed: '保管庫は閉じています。',
  store_not_empty: '保管庫が空ではありません。新しいものに復元してください。',
  not_a_backup: 'これはバックアップではありません。',
  backup_newer: 'バックアップは新しい版のプログラムで書かれています。その版かそれ以降で復元してください。',
  backup_damaged: ({ why }, tell) => `バックアップが壊れています（${tell(why)}）。何も復元していません。`,
  backup_goes_on: '終わりの後に何かある',
  backup_other_sum: '書かれたものと違う',
  backup_without_end: '終わりがない',
  backup_line_unreadable: ({ line }) => `${line}行目が読めない`,
  backup_kind_unknown: ({ kind }) =>
    `バックアップに、この版のプログラムの知らない ${kind} があります。何も復元していません。`,
  backup_row_unfit: 'バックアップに、ほかと合わない行があります。何も復元していません。',
}
