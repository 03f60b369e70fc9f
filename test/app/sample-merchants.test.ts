// The merchants that answer beside the sample: listed once, probed like any other, and found out, failing and recovering on time.
import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/app/config.ts'
import { openApp } from '../../src/app/server.ts'
import { sharedEmbedder } from '../embedder.ts'
import { ManualClock } from '../store/manual-clock.ts'

test('what the merchants of the sample show is measured, and is there again after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shirube-merchants-'))
  const config = readConfig({
    DATABASE_URL: `sqlite:${join(folder, 'directory.db')}`,
    PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMIT: '0',
  })
  const clock = new ManualClock(new Date().toISOString())
  const open = () => openApp(config, { sample: true, merchants: true, clock, embedder: sharedEmbedder() })
  const list = async (url: string, query: string) => {
    const answer = await fetch(`${url}/api/services?limit=100&${query}`)
    const services = (await answer.json()) as { id: string; endpoint: string; status: string }[]
    return services.filter(({ endpoint }) => endpoint.startsWith('http://127.0.0.1:'))
  }
  const pathsOf = (services: readonly { endpoint: string }[]) =>
    services.map(({ endpoint }) => new URL(endpoint).pathname.slice(1)).sort()
  let place: string
  {
    await using app = await open()
    await app.caughtUp
    const [url = ''] = app.urls
    /** A merchant fails for minutes, in which a slow machine is to ask as often as a quick one. */
    const until = async (query: string, path: string) => {
      for (; !pathsOf(await list(url, query)).includes(path); clock.advance(500)) await Bun.sleep(5)
    }
    await until('status=verified', 'rhymes')
    await until('level=danger', 'parcels')
    await until('level=danger', 'barcode')
    await until('status=inactive', 'rhymes')
    await until('status=verified', 'rhymes')
    const all = await list(url, '')
    expect(pathsOf(await list(url, 'level=verified'))).toEqual(
      'furigana holidays rhymes sun units'.split(' '),
    )
    expect(pathsOf(await list(url, 'protocol=mpp'))).toEqual(['furigana'])
    expect(pathsOf(await list(url, 'level=danger'))).toEqual(['barcode', 'parcels'])
    const parcels = all.find(({ endpoint }) => endpoint.endsWith('/parcels'))!
    const header = (await fetch(parcels.endpoint)).headers.get('PAYMENT-REQUIRED') ?? ''
    const [{ payTo }] = JSON.parse(Buffer.from(header, 'base64').toString()).accepts
    const asked = new URLSearchParams({ url: parcels.endpoint, payTo, network: 'base' })
    const verdict = await fetch(`${url}/api/resolve?${asked}`)
    expect(await verdict.json()).toMatchObject({ verdict: 'stop' })
    expect(all).toHaveLength(8)
    // Nobody is paid.
    const sun = all.find(({ endpoint }) => endpoint.endsWith('/sun'))!.endpoint
    expect((await fetch(sun, { headers: { 'PAYMENT-SIGNATURE': 'e30=' } })).status).toBe(402)
    place = new URL(sun).host
  }
  await using again = await open()
  await again.caughtUp
  const services = await list(again.urls[0]!, '')
  expect(services.map(({ endpoint }) => new URL(endpoint).host)).toEqual(Array(8).fill(place))
  expect((await fetch(`http://${place}/sun`)).status).toBe(402)
  await rm(folder, { recursive: true, force: true })
})
