// A directory with the services of the sample catalog as if they were real, each with a standing.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { readStandingSample } from '../quality/standing-sample.ts'
import { openTestServer, type TestServer } from './directory-server.ts'

export async function openStandingServer(settings: Record<string, string> = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'shirube-standing-'))
  const databaseUrl = `sqlite:${join(folder, 'directory.db')}`
  {
    await using store = await openStore(databaseUrl, { clock: systemClock })
    await store.insert(await readStandingSample(systemClock.now()))
  }
  const server = await openTestServer({ DATABASE_URL: databaseUrl, ...settings })
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
