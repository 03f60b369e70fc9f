// A whole directory, listening on a free port, for tests that speak HTTP to it.

import { readConfig } from '../../src/app/config.ts'
import { type App, type AppOptions, openApp } from '../../src/app/server.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { sharedEmbedder } from '../embedder.ts'
import { draft } from '../entries.ts'

export const KEY = 'a-key-from-the-settings'

// biome-ignore lint/suspicious/noExplicitAny: a test names the fields it expects, and fails where one is missing
type Json = any
/** A response whose JSON may be looked into without a cast. */
export type Answer = { json(): Promise<Json> } & Response

export const ask = (url: string, init?: RequestInit & { decompress?: boolean }): Promise<Answer> =>
  fetch(url, init) as Promise<Answer>

export type TestServer = AsyncDisposable & {
  readonly app: App
  readonly url: string
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  json(path: string, headers?: Record<string, string>): Promise<Json>
  register(body: unknown, headers?: Record<string, string>): Promise<Answer>
}

/** Nothing is probed and nothing is logged unless a test asks for it. */
export async function openTestServer(
  settings: Record<string, string> = {},
  options: AppOptions = {},
): Promise<TestServer> {
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: 'sqlite::memory:',
    LOG_LEVEL: 'silent',
    API_KEYS: KEY,
    PROBE: 'off',
    ...settings,
  })
  const app = await openApp(config, { embedder: sharedEmbedder(), ...options })
  await app.caughtUp
  const url = app.urls[0]!
  const get = (path: string, headers: Record<string, string> = {}) =>
    ask(url + path, { headers: { 'accept-encoding': 'identity', ...headers } })
  return {
    app,
    url,
    get,
    json: async (path, headers) => (await get(path, headers)).json(),
    register: (body, headers = {}) =>
      ask(`${url}/api/services`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** A registration body that is valid as it stands; changes may make it anything else. */
export const body = (changes: object = {}): object => ({ ...draft(), ...changes })

/** Registers a service, and waits until a probe has verified it; not over HTTP, where requests are limited. */
export async function registerVerified(server: TestServer, body: unknown): Promise<string> {
  const response = await server.register(body)
  if (response.status !== 201) throw new Error(await response.text())
  const { id } = await response.json()
  while ((await server.app.directory.get(id)).decode().status !== 'verified') await Bun.sleep(10)
  return id
}

/** Says the time it is told; sleeps as the machine does. */
export function createSetClock(start: string): Clock & { set(time: string): void } {
  let now = new Date(start)
  return {
    now: () => new Date(now),
    sleep: systemClock.sleep,
    set(time) {
      now = new Date(time)
    },
  }
}

/** Reads a Link header into its relations. */
/** What the first request of a caller has cost: no minute ends between two of them. */
export function costOfFirst({ headers }: Response): number {
  const [, quota] = /q=(\d+)/.exec(headers.get('ratelimit-policy')!)!
  const [, left] = /r=(\d+)/.exec(headers.get('ratelimit')!)!
  return Number(quota) - Number(left)
}

export const linksOf = (response: Response): Record<string, string> =>
  Object.fromEntries(
    [...(response.headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, target, rel]) => [
      rel!,
      target!,
    ]),
  )
