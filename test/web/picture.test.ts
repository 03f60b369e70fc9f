// The images that link previews show.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { crc32, inflateSync } from 'node:zlib'
import { drawPicture } from '../../src/web/picture/draw.ts'
import { toDrawable, toLines, widthOf } from '../../src/web/picture/lines.ts'
import { createPictureCache, MAX_DRAWN_A_MINUTE } from '../../src/web/picture/picture-cache.ts'
import { draft } from '../entries.ts'
import { ManualClock } from '../store/manual-clock.ts'
import { openPageDirectory, type PageDirectory } from './page-directory.ts'

const PUBLIC_URL = 'https://directory.example'

let site: PageDirectory
beforeAll(async () => {
  site = await openPageDirectory({ PUBLIC_URL })
})
afterAll(() => site[Symbol.asyncDispose]())

/** Reads it as a previewer does: every chunk with its checksum, and as many rows of pixels as it says. */
function readPng(bytes: Uint8Array) {
  const file = Buffer.from(bytes)
  expect(file.toString('latin1', 1, 4)).toBe('PNG')
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at)
    const named = file.subarray(at + 4, at + 8 + length)
    expect(file.readUInt32BE(at + 8 + length)).toBe(crc32(named))
    chunks.set(named.toString('latin1', 0, 4), named.subarray(4))
    at += 12 + length
  }
  const head = chunks.get('IHDR')!
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)]
  const rows = inflateSync(chunks.get('IDAT')!)
  expect(rows.length).toBe((width + 1) * height)
  const colours = chunks.get('PLTE')!.length / 3
  expect(rows.every(pixel => pixel < colours)).toBe(true)
  const inked = rows.filter(pixel => pixel % 16 > 0).length
  return { width, height, inked }
}

const said = (title: string, ...notes: string[]) => ({ brand: 'Shirube 標', title, notes })

describe('A picture', () => {
  test('is 1200 by 630 pixels and under 40 kB, in Latin, Japanese and Cyrillic script', () => {
    const blank = readPng(drawPicture(said(''))).inked
    for (const title of ['Weather Forecast & Typhoon Alerts', '東京の天気予報と台風情報', 'Прогноз погоды']) {
      const bytes = drawPicture(said(title, 'api.weather.example'))
      const { width, height, inked } = readPng(bytes)
      expect([width, height]).toEqual([1200, 630])
      expect(bytes.length).toBeLessThan(40_000)
      expect(inked - blank).toBeGreaterThan(10_000)
    }
  })

  test('is drawn for any name of a service', () => {
    for (const title of [
      ...['', ' ', '😀🎉', 'مرحبا', '\ud800', '\u202eevil', 'a\u0301\u0301', '<svg>&amp;"'],
      ...['M'.repeat(255), '語'.repeat(255), 'iW'.repeat(500), 'x '.repeat(2000), '…'.repeat(300)],
    ])
      expect(readPng(drawPicture(said(title, title, title, title))).width).toBe(1200)
  })
})

describe('A title', () => {
  const fits = { size: 76, width: 1000, maxLines: 3 }

  test('breaks between words and between phrases, within its width', () => {
    const english = toLines('Weather Forecast and Typhoon Alerts for East Asia', fits)
    expect(english.join(' ')).toBe('Weather Forecast and Typhoon Alerts for East Asia')
    const japanese = toLines('東京の天気予報と台風情報をリクエストごとに支払う', fits)
    expect(japanese.join('')).toBe('東京の天気予報と台風情報をリクエストごとに支払う')
    expect(japanese.some(line => line.startsWith('と') || line.startsWith('を'))).toBe(false)
    for (const line of [...english, ...japanese]) expect(widthOf(line, 76)).toBeLessThanOrEqual(1000)
  })

  test('that is too long ends in an ellipsis', () => {
    const lines = toLines('W'.repeat(200), fits)
    expect(lines).toHaveLength(3)
    expect(lines[2]).toEndWith('…')
    for (const line of lines) expect(widthOf(line, 76)).toBeLessThanOrEqual(1000)
  })

  test('loses characters that the font does not have', () => {
    expect(toDrawable(' 天気 😀 API\u202e\n\u0000v2 ')).toBe('天気 API v2')
  })
})

describe('The address of a picture', () => {
  test('is in the metadata of every page, and verified services have their own picture', async () => {
    const home = await (await site.get('/?lang=ja')).text()
    expect(home).toContain(`<meta property="og:image" content="${PUBLIC_URL}/picture.png?lang=ja">`)
    expect(home).toContain('<meta name="twitter:card" content="summary_large_image">')
    const page = await (await site.get(`/services/${site.probedId}`)).text()
    expect(page).toContain(`content="${PUBLIC_URL}/services/${site.probedId}/picture.png?lang=en"`)
    for (const path of ['/picture.png?lang=ja', `/services/${site.probedId}/picture.png?lang=en`]) {
      const answer = await site.get(path, { 'accept-encoding': 'gzip, br, zstd' })
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'image/png'])
      expect(answer.headers.get('content-encoding')).toBeNull()
      expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
      expect(readPng(new Uint8Array(await answer.arrayBuffer())).width).toBe(1200)
    }
  })

  test('redirects to the picture of the directory for an unverified service, and is 404 for an unknown one', async () => {
    const { id } = await (await site.register({ ...draft(), name: 'Circle, the official one' })).json()
    const answer = await fetch(`${site.url}/services/${id}/picture.png`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/picture.png'])
    expect(await (await site.get(`/services/${id}`)).text()).toContain(`${PUBLIC_URL}/picture.png`)
    expect((await site.get('/services/svc_none/picture.png')).status).toBe(404)
  })
})

test('the number of pictures drawn per minute is limited; cached ones are still served', () => {
  const clock = new ManualClock()
  const { home, service } = createPictureCache(clock)
  const first = service(said('Service 0'))
  expect(first).toBeDefined()
  for (let i = 1; i < MAX_DRAWN_A_MINUTE; i++) expect(service(said(`Service ${i}`))).toBeDefined()
  expect(service(said('One too many'))).toBeUndefined()
  expect(service(said('Service 0'))).toBe(first!)
  expect(home(said('The directory'))).toBeDefined()
  clock.advance(60_000)
  expect(service(said('One too many'))).toBeDefined()
})
