// Directories that lag behind, or whose store is unavailable.
import type { FollowedSource, Health, LocalDirectory } from '../../src/directory/directory.ts'
import { DirectoryError } from '../../src/domain/errors.ts'
import { createProbeCounts, MAX_DUE } from '../../src/domain/standing/standing.ts'
import { say } from '../../src/messages/message.ts'

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

const source = (host: string, failures: number): FollowedSource => ({
  url: `https://${host}/discovery/resources`,
  kind: 'list',
  checkedAt: ago(1),
  succeededAt: failures > 20 ? null : ago(failures === 0 ? 1 : 13),
  failures,
})

const NOBODY: NonNullable<Health['probing']> = {
  by: 'nobody',
  due: 0,
  lastHour: createProbeCounts(),
  lastProbeAt: ago(9),
}

/** Everything is there, and behind. */
export function toLagging(directory: LocalDirectory, changes: Partial<Health> = {}): LocalDirectory {
  return {
    ...directory,
    health: async () => ({
      ...(await directory.health()),
      lagMs: 95_400,
      storeErrors: 14,
      probing: {
        by: 'another',
        due: MAX_DUE,
        lastHour: { ...createProbeCounts(), payable: 1_812, mismatched: 41, unreachable: 230 },
        lastProbeAt: ago(0.02),
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
