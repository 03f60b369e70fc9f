// What callers are told after the directory was put back to an earlier state or restored.
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import postgres from 'postgres'
import { readConfig } from '../../src/app/config.ts'
import { openOperator } from '../../src/app/operator.ts'
import { createReadyDatabase } from '../postgres.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { ask, body, openTestServer, type TestServer } from './directory-server.ts'

setDefaultTimeout(120_000)

const ENGINES: Readonly<Record<string, () => Promise<string>>> = {
  SQLite: async () => `sqlite:${temporaryPath('store.db')}`,
  PostgreSQL: () => createReadyDatabase(),
}

/** The first frame of a stream, or the problem that is told instead of one. */
async function listen(server: TestServer, lastEventId?: string) {
  const leaving = new AbortController()
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const answer = await ask(`${server.url}/api/events`, { headers, signal: leaving.signal })
  if (!answer.ok) return { status: answer.status, problem: await answer.json() }
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const until = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(text)
      if (found) return found[1]!
      const { value, done } = await reader.read()
      if (done) throw new Error('the stream ended')
      text += value
    }
  }
  return { status: answer.status, until, leave: () => leaving.abort() }
}

describe.each(Object.keys(ENGINES))('After a copy to %s', engine => {
  test('listeners get a response at once, and those with a cursor from the lost period get 410', async () => {
    const from = `sqlite:${temporaryPath('from.db')}`
    const to = await ENGINES[engine]!()
    let lost = ''
    {
      await using server = await openTestServer({ DATABASE_URL: from })
      for (let i = 0; i < 3; i++) await server.register(body())
      await using operator = await openOperator(readConfig({ DATABASE_URL: from }))
      await operator.copy(to, () => {})
      const stream = await listen(server)
      for (let i = 0; i < 5; i++) await server.register(body())
      lost = await stream.until!(/id: (8-\S+)\n/)
      stream.leave!()
    }

    const logged: string[] = []
    await using server = await openTestServer(
      { DATABASE_URL: to, LOG_LEVEL: 'info' },
      { log: lines => logged.push(lines) },
    )
    // Nothing was written since, and still the line is open.
    const stream = await listen(server)
    expect(stream.status).toBe(200)
    expect(await stream.until!(/id: (\d+)-/)).toBe('3')
    for (const id of [lost, '8'])
      expect(await listen(server, id)).toMatchObject({ status: 410, problem: { code: 'history_changed' } })
    const told = () =>
      logged
        .join('')
        .split('\n')
        .find(line => line.includes('not of this history'))
    for (let i = 0; i < 1_000 && told() === undefined; i++) await Bun.sleep(5)
    expect(JSON.parse(told()!)).toMatchObject({
      scale: 'event',
      number: 8,
      newest: expect.any(String),
      storedNewest: expect.any(String),
    })

    const services = []
    for (let i = 0; i < 8; i++) services.push(await (await server.register(body())).json())
    expect(await stream.until!(/"serviceId":"(svc_\w+)"/)).toBe(services[0].id)
    for (const id of [lost, '8']) expect((await listen(server, id)).status).toBe(410)
    // What was copied is common to both.
    const again = await listen(server, '3')
    expect(again.status).toBe(200)
    expect(await again.until!(/"serviceId":"(svc_\w+)"/)).toBe(services[0].id)
    for (const { leave } of [stream, again]) leave!()
  })
})

test('a listener that got events which a failover lost is disconnected, and gets 410 when it returns', async () => {
  const url = await createReadyDatabase()
  await using server = await openTestServer({ DATABASE_URL: url })
  for (let i = 0; i < 3; i++) await server.register(body())
  const stream = await listen(server, '1')
  const lost = await stream.until!(/id: (3-\S+)\n/)
  // As a standby has it that was promoted without the last two.
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql`DELETE FROM services WHERE seq > 1`
  await sql`DELETE FROM events WHERE seq > 1`
  await sql`UPDATE counter SET seq = 1, event = 1, timeline = 'another'`
  await sql.end()
  await server.register(body())
  await expect(stream.until!(/never/)).rejects.toThrow('the stream ended')
  expect((await listen(server, lost)).status).toBe(410)
  const again = await listen(server, '1')
  expect(await again.until!(/id: (1000002)-/)).toBe('1000002')
  again.leave!()
})

describe('Two processes on one file', () => {
  test('accept each other’s cursors, whichever is ahead', async () => {
    const settings = { DATABASE_URL: `sqlite:${temporaryPath('store.db')}` }
    await using first = await openTestServer(settings)
    await using second = await openTestServer(settings)
    let since = '0'
    let told = 0
    for (let i = 0; i < 10; i++) {
      const [writer, reader] = i % 2 === 0 ? [first, second] : [second, first]
      await writer.register(body())
      const ahead = await writer.json(`/api/changes?since=${since}`)
      told += ahead.changes.length
      // At once, whether or not it has heard of the write.
      const answer = await reader.get(`/api/changes?since=${ahead.next}`)
      expect(answer.status).toBe(200)
      expect((await answer.json()).next).toBe(ahead.next)
      since = ahead.next
    }
    expect(told).toBe(10)
  })
})
