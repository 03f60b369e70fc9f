// The store on PostgreSQL.
import { DirectoryError } from '../../domain/errors.ts'
import { say } from '../../messages/message.ts'
import type { Clock } from '../../runtime/clock.ts'
import { createStore, readLastSeq } from '../create-store.ts'
import { takeLease } from '../leases.ts'
import type { Store } from '../store.ts'
import { TimelineReader } from '../timelines.ts'
import { WriteState, writeTrial } from '../write-state.ts'
import type { PostgresAddress } from './link.ts'
import { PostgresSession } from './session.ts'
import { PostgresWatch } from './watch.ts'

/** The tables must be up to date. */
export function createPostgresStore(
  address: PostgresAddress,
  {
    clock,
    readers,
    onTrouble,
  }: {
    readonly clock: Clock
    readonly readers?: number | undefined
    readonly onTrouble?: ((sentence: string | undefined) => void) | undefined
  },
): Store {
  const writes = new WriteState({
    clock,
    // Through the write queue, so that the result shows whether writes succeed.
    tryWrite: () => session.write([], ({ query }) => takeLease(query, ...writeTrial(clock))),
    onChange: onTrouble,
  })
  const session = new PostgresSession({
    address,
    clock,
    readers,
    writes,
    onCommit: seq => void watch.reached(seq),
  })
  const lastSeq = () => session.read(readLastSeq)
  const watch = new PostgresWatch({ address, clock, lastSeq })
  return createStore({
    session,
    timelines: new TimelineReader(),
    writes,
    watch,
    backup: async () => {
      throw new DirectoryError('invalid_request', say('backup_needs_file'))
    },
  })
}
