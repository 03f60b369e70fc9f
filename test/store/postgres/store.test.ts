import { systemClock } from '../../../src/runtime/clock.ts'
import { openStore } from '../../../src/store/open.ts'
import { createEmptiable, emptyDatabase } from '../../postgres.ts'
import { describeStore } from '../contract.ts'

let kept: string | undefined

describeStore('a store in PostgreSQL', {
  shared: true,
  open: async () => {
    if (kept !== undefined) await emptyDatabase(kept)
    kept ??= await createEmptiable()
    const url = kept
    const open = () => openStore(url, { clock: systemClock })
    return { store: await open(), reopen: open }
  },
})
