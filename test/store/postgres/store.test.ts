import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import { createDatabase } from '../../postgres.ts'
import { describeStore } from '../contract.ts'

describeStore('a store in PostgreSQL', {
  shared: true,
  open: async () => {
    const url = await createDatabase()
    const open = () => openStore(url, { clock: systemClock })
    return { store: await open(), reopen: open }
  },
})
