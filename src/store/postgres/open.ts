// Migrates the schema before anything is read or written, and waits for a server that is unreachable.

import { DirectoryError } from '../../domain/errors.ts'
import { verbatim } from '../../messages/message.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { PostgresAddress } from './address.ts'
import { type Capabilities, findCapabilities } from './capabilities.ts'
import { PostgresConnector } from './connector.ts'
import { isUnavailable, toStoreError } from './errors.ts'
import { migrate } from './schema.ts'

const PAUSE_MS = 500

export async function preparePostgres(
  address: PostgresAddress,
  {
    clock,
    onWaiting,
    signal,
  }: {
    readonly clock: Clock
    readonly onWaiting?: (sentence: string) => void
    readonly signal?: AbortSignal | undefined
  },
): Promise<Capabilities> {
  await using connector = new PostgresConnector({ address, clock, role: 'primary', connections: 1 })
  let isWaiting = false
  for (;;) {
    try {
      const link = await connector.link()
      await migrate(link)
      return await findCapabilities(link)
    } catch (error) {
      if (!onWaiting || !isUnavailable(error)) throw toStoreError(error)
      if (!isWaiting) onWaiting((toStoreError(error) as Error).message)
      isWaiting = true
    }
    await clock.sleep(PAUSE_MS, signal)
    if (signal?.aborted) {
      throw new DirectoryError(
        'store_unavailable',
        verbatim('The store could not be reached before the end was asked for.'),
      )
    }
  }
}
