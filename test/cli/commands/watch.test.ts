import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { differences } from '../../../src/cli/commands/watch.ts'
import type { Service } from '../../../src/domain/listing/service.ts'
import { type Folder, openFolder, type Serving } from '../shirube.ts'

const body = {
  name: 'Tides of Japan',
  description: 'Tide tables for every harbour in Japan, hour by hour.',
  endpoint: 'https://tides.example/v1',
  category: 'weather',
  pricing: { currency: 'USDC', pricePerRequest: '0.0025' },
  x402Config: { paymentAddress: '0x7aA3B0D047d135f43e8699E07783a548819BC25c', network: 'base' },
}

/** Nobody who watches for tides is told of it. */
const RATES = {
  name: 'Exchange rates',
  description: 'Yen, euro and dollar.',
  endpoint: 'https://rates.example/v1',
  category: 'finance',
}

describe('watch', () => {
  let folder: Folder
  let serving: Serving
  let env: Record<string, string>
  beforeAll(async () => {
    folder = await openFolder()
    const { stdout } = await folder.run(['keys', 'create', 'mine'])
    serving = await folder.serve()
    env = { SHIRUBE_URL: serving.url, SHIRUBE_KEY: stdout.trim() }
  })
  afterAll(async () => {
    await serving[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
  })

  const registered = async (more: object = {}): Promise<string> => {
    const stdin = JSON.stringify({ ...body, ...more })
    return JSON.parse((await folder.run(['register', '-', '--json'], { stdin, env })).stdout).id
  }

  test('prints new, changed and removed services as it happens', async () => {
    const first = await registered()
    const child = Bun.spawn({
      ...folder.command(['watch', 'tide', 'tables', '--json'], env),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const lines = readLines(child.stdout)
    const next = async () => {
      const { event, service } = JSON.parse((await lines.next()).value!)
      return [event, service.id, service.pricing.pricePerRequest]
    }
    expect(await next()).toEqual(['found', first, '0.0025'])
    const second = await registered({ name: 'Tide tables of Osaka', endpoint: 'https://osaka.example/tides' })
    expect(await next()).toEqual(['found', second, '0.0025'])
    await registered(RATES)
    await folder.run(['edit', second, '-'], { stdin: '{"pricing":{"pricePerRequest":"0.007"}}', env })
    expect(await next()).toEqual(['changed', second, '0.007'])
    await folder.run(['remove', second, '--yes'], { env })
    expect(await next()).toEqual(['gone', second, '0.007'])
    child.kill('SIGINT')
    expect([await child.exited, (await lines.next()).done, await child.stderr.text()]).toEqual([0, true, ''])
  })

  test('reports why it cannot start', async () => {
    const away = await folder.run(['watch', 'tides', '--url', 'http://127.0.0.1:9'])
    expect([away.code, away.stdout]).toEqual([1, ''])
    expect(away.stderr).toStartWith('No directory answers at http://127.0.0.1:9.')
    const empty = await folder.run(['watch', ' '], { env })
    expect([empty.code, empty.stderr]).toEqual([
      2,
      expect.stringContaining('What to look for must not be empty.'),
    ])
  })
})

test('unchanged services are not printed', () => {
  const service = (id: string, updatedAt: string) => ({ id, updatedAt, status: 'unverified' }) as Service
  const later = { ...service('b', '2'), name: 'B', pricing: { currency: 'USDC' } } as Service
  const [a, b] = [service('a', '1'), service('b', '1')]
  const of = (...services: Service[]) => new Map(services.map(each => [each.id, each]))
  expect([...differences(of(a, b), of(b, a))]).toEqual([])
  expect([...differences(of(a, b), of(later))]).toEqual([
    { event: 'changed', service: later, fields: ['name', 'pricing'] },
    { event: 'gone', service: a },
  ])
})

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = ''
  for await (const text of stream.pipeThrough(new TextDecoderStream() as never) as ReadableStream<string>) {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    yield* lines
  }
  return undefined
}
