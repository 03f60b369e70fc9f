// The subjects of the operator's room, in the order of its navigation.
import type { LocalDirectory } from '../../directory/directory.ts'
import { COLLECTIONS, SPENDING } from './agents.ts'
import { KEYS } from './keys.ts'
import { HIDDEN, REPORTS } from './moderation.ts'
import { OVERVIEW } from './overview.ts'
import { createDownload, createRoom, type Subjects } from './room.ts'
import { BACKUPS, PURCHASES, SETTINGS, toFileName } from './server.ts'
import { SOURCES } from './sources.ts'

const SUBJECTS: Subjects = {
  overview: OVERVIEW,
  sources: SOURCES,
  reports: REPORTS,
  hidden: HIDDEN,
  keys: KEYS,
  collections: COLLECTIONS,
  spending: SPENDING,
  purchases: PURCHASES,
  backups: BACKUPS,
  settings: SETTINGS,
}

export const createOperatorRoom = (directory: LocalDirectory) => createRoom(directory, SUBJECTS)

/** Files for who is signed in. */
export const createDownloads = (directory: LocalDirectory) => ({
  hiddenList: createDownload(directory, async by => ({
    text: JSON.stringify(await directory.hiddenList(by), undefined, 2),
  })),
  spendingFile: createDownload(directory, async by => ({ text: await directory.spendingCsv({}, by) })),
  backup: createDownload(directory, async (by, { id }) => {
    const { files } = await directory.backups(by)
    const found = files.find(({ file }) => toFileName(file) === id)
    return found && { text: '', file: found.file }
  }),
})
