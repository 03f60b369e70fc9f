// How a directory answers that does not keep up, or whose store is away.
import type { FollowedSource, Health, LocalDirectory } from '../../src/directory/directory.ts'
import { DirectoryError } from '../../src/domain/errors.ts'
import { createProbeCounts, MAX_DUE } from '../../src/domain/probes.ts'
import { say } from '../../src/messages/message.ts'

const source = (host: string, failures: number): FollowedSource => ({
  url: `https://${host}/discovery/resources`,
  kind: 'list',
  checkedAt: '2026-11-17T08:00:00.000Z',
  succeededAt: failures > 20 ? null : '2026-11-16T20:00:00.000Z',
  failures,
})

const NOBODY: NonNullable<Health['probing']> = {
  by: 'nobody',
  due: 0,
  lastHour: createProbeCounts(),
  lastProbeAt: '2026-11-17T09:12:44.000Z',
}

/** Everything is there, and behind. */
export function toLagging(directory: LocalDirectory, changes: Partial<Health> = {}): LocalDirectory {
  return {
    ...directory,
    health: async () => ({
      ...(await directory.health()),
      lagMs: 95_400,
      storeErrors: 14,
      snapshot: null,
      probing: {
        by: 'another',
        due: MAX_DUE,
        lastHour: { ...createProbeCounts(), payable: 1_812, mismatched: 41, unreachable: 230 },
        lastProbeAt: '2026-11-17T09:12:44.000Z',
      },
      ...changes,
    }),
    sources: async () => [
      source('list.example', 0),
      source('away.example', 2),
      source('slow.example', 12),
      source('gone.example', 30),
    ],
  }
}

/** It serves from memory. */
export const toAway = (directory: LocalDirectory): LocalDirectory => ({
  ...toLagging(directory, { state: 'degraded', probing: NOBODY }),
  sources: async () => {
    throw new DirectoryError('store_unavailable', say('store_away'))
  },
})
