// Why the store does not work, or cannot be copied, in English.
import type { STORE_CODES } from '../store-codes.ts'
import type { Words } from '../words.ts'

export const STORE: Words<typeof STORE_CODES> = {
  store_away: 'The store cannot be reached right now; try again in a moment.',
  store_busy: 'The store is busy with another writer; try again in a moment.',
  store_crowded: 'The store cannot take more work right now; try again in a moment.',
  store_full: 'The disk of the store is full; free some space and try again.',
  store_file_read_only:
    'The store can be read but not written; check the permissions of its file and folder.',
  store_read_only: 'The store can be read but not written right now; try again in a moment.',
  store_file_failed: 'The store file could not be read or written; check its disk.',
  store_damaged: 'The store is damaged; restore it from a backup.',
  store_file_gone: 'The store file was removed or moved; put it back, or restart with the right one.',
  store_file_replaced:
    'The store file was replaced by another; put the first one back, or restart to use the new one.',
  store_file_cut: 'The store file was truncated while the process was running; stop it and restore a backup.',
  store_log_gone:
    'The write-ahead log next to the store file was removed or replaced; stop the process, so that it writes the log into the file, and start it again.',
  store_file_unseen: 'The store file cannot be accessed; check its disk, and the permissions of its folder.',
  store_user_refused: 'The store refuses the user or the password of DATABASE_URL; correct them.',
  store_database_missing:
    'The store has no database of the name in DATABASE_URL; create it or correct the name.',
  store_user_not_allowed:
    'The user of DATABASE_URL may not do this in the database; make it the owner of the database.',
  store_closed: 'The store is closed.',
  store_not_empty: 'The target is not empty; name an empty database.',
  backup_exists: 'A file of that name exists and was left as it is; name another.',
  backup_needs_file:
    'Only a database file is copied to a file. Use pg_dump, or `shirube copy <database-url>` to move everything to another database.',
}
