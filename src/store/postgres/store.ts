// The store on PostgreSQL.
import { DirectoryError } from '../../domain/errors.ts'
import { say } from '../../messages/message.ts'
import type { Clock } from '../../runtime/clock.ts'
import { createStore, readLastSeq } from '../create-store.ts'
import { takeLease } from '../leases.ts'
import type { Store } from '../store.ts'
import { TimelineReader } from '../timelines.ts'
import { CommitWatch } from '../watch.ts'
import { WriteState, writeTrial } from '../write-state.ts'
import { PostgresConnector } from './connector.ts'
import type { PostgresAddress } from './link.ts'
import { CHANNEL } from './open.ts'
import { PostgresSession } from './session.ts'

/** In case a notification is lost, or a pooler delivers none. */
const POLL_MS = 1_000

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
    onCommit: seq => watch.reached(seq),
  })
  // Other processes notify of their commits by NOTIFY.
  let isListening = false
  const listener = new PostgresConnector({
    address,
    clock,
    connections: 1,
    onNotify: payload => watch.reached(Number(payload)),
    onLost: () => {
      isListening = false
      // Followers notice the lost store at once, not only at the next write.
      watch.notify()
    },
  })
  const listen = async (): Promise<void> => {
    if (isListening) return
    await (await listener.link()).query(`LISTEN ${CHANNEL}`)
    isListening = true
  }
  const watch = new CommitWatch({
    clock,
    pollMs: POLL_MS,
    lastSeq: () => session.read(readLastSeq),
    // LISTEN before the poll, so that no commit is missed in between.
    onPoll: () => listen().catch(() => {}),
    onFailure: () => {
      // A broken network may go unnoticed on the listening connection.
      listener.drop()
      watch.notify()
    },
  })
  return createStore({
    session,
    timelines: new TimelineReader(),
    writes,
    watch,
    closing: () => listener[Symbol.asyncDispose](),
    backup: async () => {
      throw new DirectoryError('invalid_request', say('backup_needs_file'))
    },
  })
}
