// Makes a database file. It appears whole or not at all, so that an empty file in its place is never one that was just begun.
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

/** Keys of callers as hashes, secrets of webhooks as they are: nobody else on the machine may read them. */
const PRIVATE = 0o600
const OTHERS = 0o007

/** Several processes may make it at once: the first one does, the others find it. */
export function createSqliteFile(path: string): void {
  const draft = `${path}.${crypto.randomUUID()}.new`
  try {
    // The engine gives its log and its index the mode of the file.
    writeFileSync(draft, emptyFile(), { flag: 'wx', mode: PRIVATE })
    bringToDisk(draft)
    putInPlace(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

function bringToDisk(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** A second name, unlike a new one, never takes the place of a file that is there. */
function putInPlace(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    // Some file systems know one name for a file only.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'].includes(code ?? '')) throw error
    renameSync(draft, path)
  }
}

/**
 * A file that everybody may read has its mode from a careless default, so it is closed to all but its owner. Where others have no
 * rights, those of the group are the operator's own choice and stay.
 */
export function closeToOthers(...paths: readonly string[]): void {
  for (const path of paths) {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found && (found.mode & OTHERS) !== 0 && found.uid === process.getuid?.()) chmodSync(path, PRIVATE)
  }
}
