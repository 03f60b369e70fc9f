// Why the store does not work, or cannot be copied.
import type { Shape } from './kinds.ts'

export const STORE_CODES = {
  store_away: {},
  store_busy: {},
  store_crowded: {},
  store_full: {},
  store_file_read_only: {},
  store_read_only: {},
  store_file_failed: {},
  store_damaged: {},
  store_file_gone: {},
  store_file_replaced: {},
  store_file_cut: {},
  store_log_gone: {},
  store_file_unseen: {},
  store_user_refused: {},
  store_database_missing: {},
  store_user_not_allowed: {},
  store_closed: {},
  store_not_empty: {},
  backup_exists: {},
  backup_needs_file: {},
} as const satisfies Readonly<Record<string, Shape>>
