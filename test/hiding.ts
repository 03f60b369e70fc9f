// Hides services and shows them again as operators do, on the store that a directory reads.
import { createActLog, createHiding } from '../src/directory/collections.ts'
import { createIdSource } from '../src/domain/ids.ts'
import { systemClock as clock } from '../src/runtime/clock.ts'
import { openStore } from '../src/store/open.ts'

export async function hideService(databaseUrl: string, id: string, why: string): Promise<void> {
  await using store = await openStore(databaseUrl, { clock })
  const note = createActLog({ store, clock, newId: createIdSource() })
  await createHiding({ store, clock, note }).hide([{ kind: 'service', value: id, why }], 'operator')
}

export async function showService(databaseUrl: string, id: string): Promise<void> {
  await using store = await openStore(databaseUrl, { clock })
  const note = createActLog({ store, clock, newId: createIdSource() })
  await createHiding({ store, clock, note }).show([{ kind: 'service', value: id }], 'operator')
}
