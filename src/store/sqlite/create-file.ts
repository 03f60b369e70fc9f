// Creates a database file atomically, so that an empty file at its path is never one that is being created.
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { emptyFile } from './empty-database.ts'

/** The file holds hashes of API keys and webhook secrets in plain text: no other user of the machine may read them. */
const PRIVATE = 0o600
const OTHERS = 0o007

/** Safe to call from several processes at once: the first one creates the file. */
export function createSqliteFile(path: string): void {
  const draft = `${path}.${crypto.randomUUID()}.new`
  try {
    // The engine creates its -wal and -shm files with the mode of this file.
    writeFileSync(draft, emptyFile(), { flag: 'wx', mode: PRIVATE })
    syncFile(draft)
    putInPlace(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** A hard link, unlike a rename, never replaces an existing file. */
function putInPlace(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    // Some file systems have no hard links.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'].includes(code ?? '')) throw error
    renameSync(draft, path)
  }
}

/**
 * A file that others may access has its mode from a permissive default, so access is restricted to its owner. If others have no
 * access, the rights of the group are the operator's choice and stay.
 */
export function closeToOthers(...paths: readonly string[]): void {
  for (const path of paths) {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats && (stats.mode & OTHERS) !== 0 && stats.uid === process.getuid?.()) chmodSync(path, PRIVATE)
  }
}
