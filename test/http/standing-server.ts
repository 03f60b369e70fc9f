import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { readStandingSample } from '../quality/standing-sample.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { openTestServer, type TestServer } from './directory-server.ts'

export async function openStandingServer(settings: Record<string, string> = {}): Promise<TestServer> {
  const databaseUrl = `sqlite:${temporaryPath('directory.db')}`
  {
    await using store = await openStore(databaseUrl, { clock: systemClock })
    await store.insert(await readStandingSample(systemClock.now()))
  }
  return openTestServer({ DATABASE_URL: databaseUrl, ...settings })
}
