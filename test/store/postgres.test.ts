import { beforeAll, setDefaultTimeout } from 'bun:test'
import { systemClock } from '../../src/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { createDatabase, sharedPostgres } from '../postgres.ts'
import { describeStore } from './contract.ts'

// Every test makes a database of its own, which takes its time on a machine that is busy with other tests.
const PATIENCE_MS = 60_000
setDefaultTimeout(PATIENCE_MS)
beforeAll(async () => {
  await sharedPostgres()
}, PATIENCE_MS)

describeStore('a store in PostgreSQL', {
  shared: true,
  open: async () => {
    const url = await createDatabase()
    const open = () => openStore(url, { clock: systemClock })
    return { store: await open(), reopen: open }
  },
})
