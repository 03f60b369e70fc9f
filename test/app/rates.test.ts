// Rates of the operator, through a whole directory: read at the start, followed, and kept where they cannot be read.
import { beforeEach, describe, expect, test } from 'bun:test'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../../src/app/config.ts'
import type { IntentAnswer } from '../../src/domain/queries/queries.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { entry } from '../entries.ts'
import { openTestServer, type TestServer } from '../http/directory-server.ts'
import { ManualClock } from '../store/manual-clock.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { until } from '../until.ts'

const HOUR_MS = 3_600_000

let folder: string
let file: string
beforeEach(() => {
  folder = temporaryPath()
  file = join(folder, 'rates.json')
})

const document = (yen: number) => JSON.stringify({ base: 'USD', date: '2026-11-16', rates: { JPY: yen } })

const priced = (name: string, pricePerRequest: string, currency: string) =>
  entry({ name, description: 'weather', pricing: { currency, pricePerRequest, freeQuota: 0 } })
const ENTRIES = [
  priced('One yen', '1', 'JPYC'),
  priced('One cent', '0.01', 'USDC'),
  priced('Points', '1', 'POINTS'),
]

async function fill(): Promise<string> {
  const url = `sqlite:${join(folder, 'directory.db')}`
  await using store = await openStore(url, { clock: systemClock })
  await store.insert(ENTRIES)
  return url
}

const listed = async (server: TestServer, more = '') =>
  (await server.json(`/api/services?sortBy=usdPrice${more}`)).map(({ name }: { name: string }) => name)

/** Other rates are read in the background: asks until they are applied. */
describe('rates', () => {
  test('from a URL with a key are logged without it', async () => {
    using host = Bun.serve({
      port: 0,
      fetch: ({ url }) =>
        new Response(url.includes('broken') ? 'no JSON' : 'no', {
          status: url.includes('broken') ? 200 : 403,
        }),
    })
    for (const path of ['denied', 'broken']) {
      const logged: string[] = []
      const RATES = `http://127.0.0.1:${host.port}/s3cret/${path}?key=s3cret`
      await using _ = await openTestServer({ RATES, LOG_LEVEL: 'warn' }, { log: lines => logged.push(lines) })
      await until(async () => logged.join('').includes('rates could not be read'))
      expect(logged.join('')).toContain(`127.0.0.1:${host.port}`)
      expect(logged.join('')).not.toContain('s3cret')
    }
  })

  test('order prices of all currencies; services without a known rate come last', async () => {
    await writeFile(file, document(160))
    await using server = await openTestServer({ DATABASE_URL: await fill(), RATES: file })
    expect(await listed(server)).toEqual(['One yen', 'One cent', 'Points'])
    expect(await listed(server, '&sortOrder=desc')).toEqual(['One cent', 'One yen', 'Points'])
    expect(await listed(server, '&maxUsdPrice=0.00625')).toEqual(['One yen'])
    expect(await listed(server, '&maxUsdPrice=0.006249999')).toEqual([])
  })

  test('let a limit in one currency find cheaper services in any other, and each result has its price in dollars', async () => {
    await writeFile(file, document(160))
    await using server = await openTestServer({ DATABASE_URL: await fill(), RATES: file })
    const found = async (sentence: string) => {
      const answer = await server.json(`/api/services/search/intent?q=${encodeURIComponent(sentence)}`)
      const toTold = ({ service, usdPrice, usdPriceAt }: IntentAnswer['results'][number]) => [
        service.name,
        usdPrice,
        usdPriceAt,
      ]
      return { ...answer, told: answer.results.map(toTold).sort() }
    }
    const yen = await found('2円以下のweather')
    expect(yen.constraints).toMatchObject({ maxPricePerRequest: '2', currency: 'JPY' })
    expect(yen.told).toEqual([
      ['One cent', '0.01', null],
      ['One yen', '0.00625', '2026-11-16'],
    ])
    expect((await found('1円以下のweather')).told).toEqual([['One yen', '0.00625', '2026-11-16']])
    expect((await found('1円未満のweather')).told).toEqual([])
    expect((await found('weather under 1 cent')).told).toEqual([['One yen', '0.00625', '2026-11-16']])
    // The name of an asset is what the caller pays in, not a measure.
    expect((await found('weather for at most 0.01 USDC')).told).toEqual([['One cent', '0.01', null]])
  })

  test('apply to the requested price if it is above the listed one', async () => {
    await writeFile(file, document(160))
    const url = `sqlite:${join(folder, 'directory.db')}`
    const bait = {
      ...priced('Bait', '1', 'JPYC'),
      seen: {
        at: '2026-11-16T00:00:00.000Z',
        price: 'higher' as const,
        asks: { amount: '1600', currency: 'JPY' },
        resources: [],
      },
    }
    {
      await using store = await openStore(url, { clock: systemClock })
      await store.insert([...ENTRIES, bait])
    }
    await using server = await openTestServer({ DATABASE_URL: url, RATES: file })
    expect(await listed(server)).toEqual(['One yen', 'One cent', 'Bait', 'Points'])
    expect(await listed(server, '&maxUsdPrice=0.01')).toEqual(['One yen', 'One cent'])
    const { results } = await server.json('/api/services/search/intent?q=bait')
    expect(results[0].usdPrice).toBe('10')
  })

  test('never equate currencies without a known rate', async () => {
    await using server = await openTestServer({ DATABASE_URL: await fill() })
    const answer = await server.json(
      `/api/services/search/intent?q=${encodeURIComponent('0.5円以下のweather')}`,
    )
    expect(answer.results).toEqual([])
    // All of them, because the limit and its unit give way together.
    expect(answer.nearest.relaxed).toBe('maxPricePerRequest')
    expect(answer.nearest.results).toHaveLength(3)
  })

  test('without them only dollars are comparable', async () => {
    await using server = await openTestServer({ DATABASE_URL: await fill() })
    expect((await listed(server))[0]).toBe('One cent')
    expect(await listed(server, '&maxUsdPrice=999')).toEqual(['One cent'])
  })

  test('are read every hour, and kept if they cannot be read', async () => {
    const clock = new ManualClock()
    await writeFile(file, document(160))
    await using server = await openTestServer({ DATABASE_URL: await fill(), RATES: file }, { clock })
    // Asked twice, so that the response is cached.
    for (let i = 0; i < 2; i++) expect((await listed(server))[0]).toBe('One yen')
    await writeFile(file, document(50))
    clock.advance(HOUR_MS)
    await until(async () => (await listed(server))[0] === 'One cent')
    expect(await listed(server, '&maxUsdPrice=0.015')).toEqual(['One cent'])
    await writeFile(file, '{"base": "USD"}')
    clock.advance(HOUR_MS)
    expect(await listed(server)).toEqual(['One cent', 'One yen', 'Points'])
  })

  test('may come from a URL, without delaying the start', async () => {
    let yen = 160
    await using source = Object.assign(
      Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(document(yen)) }),
      {
        async [Symbol.asyncDispose](this: Bun.Server<undefined>) {
          await this.stop(true)
        },
      },
    )
    const clock = new ManualClock()
    await using server = await openTestServer(
      { DATABASE_URL: await fill(), RATES: `http://127.0.0.1:${source.port}/latest` },
      { clock },
    )
    await until(async () => (await listed(server))[0] === 'One yen')
    yen = 50
    clock.advance(HOUR_MS)
    await until(async () => (await listed(server))[0] === 'One cent')
  })

  test.each([
    ['{', 'they are not JSON'],
    ['{"base": "USD", "date": "2026-11-16", "rates": {"JPY": "154"}}', 'rates.JPY must be a positive number'],
  ])('a file that holds %s does not start', async (text, problem) => {
    await writeFile(file, text)
    const start = openTestServer({ RATES: file })
    expect(start).rejects.toBeInstanceOf(ConfigError)
    expect(start).rejects.toThrow(problem)
  })

  test('prevent the start if their file is missing', () => {
    expect(openTestServer({ RATES: join(folder, 'nowhere.json') })).rejects.toThrow('RATES: ')
  })
})
