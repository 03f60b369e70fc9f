import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import { describeStore } from '../contract.ts'
import { temporaryPath } from '../temporary-path.ts'

describeStore('a store in a SQLite file', {
  shared: true,
  open: async () => {
    const url = `sqlite:${temporaryPath('store.db')}`
    const open = () => openStore(url, { clock: systemClock })
    return { store: await open(), reopen: open }
  },
})

describeStore('a store in memory', {
  shared: false,
  open: async () => ({ store: await openStore('sqlite::memory:', { clock: systemClock }) }),
})
