// A directory in a process of its own, which may be killed at any moment.
import { SETTING_DEFAULTS } from '../../src/app/config.ts'
import { draft } from '../entries.ts'
import { MAIN } from '../program.ts'

export const KEY = 'a-key-from-the-settings'

export interface Serving extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  /** As the loss of power would: nothing is finished. */
  kill(): Promise<void>
}

/** `wrap` may put the command into another, such as one that sets limits. */
export async function startServing(
  databaseUrl: string,
  {
    wrap = command => command,
    settings = {},
  }: { wrap?: (command: string[]) => string[]; settings?: Readonly<Record<string, string>> } = {},
): Promise<Serving> {
  const inherited = Object.entries(process.env).filter(([name]) => !(name in SETTING_DEFAULTS))
  const child = Bun.spawn(wrap([process.execPath, MAIN, 'serve', '--port', '0']), {
    env: {
      ...Object.fromEntries(inherited),
      DATABASE_URL: databaseUrl,
      HOST: '127.0.0.1',
      API_KEYS: KEY,
      RATE_LIMIT: '0',
      PROBE: 'off',
      LOG_LEVEL: 'error',
      ...settings,
    },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const url = await findUrl(child.stdout)
  while (!(await fetch(`${url}/readyz`)).ok) await Bun.sleep(5)
  return {
    url,
    pid: child.pid,
    async kill() {
      child.kill('SIGKILL')
      await child.exited
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

async function findUrl(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of stdout) {
    text += decoder.decode(bytes, { stream: true })
    const [, url] = /listening: (\S+)\s/.exec(text) ?? []
    if (url) return url
  }
  throw new Error(`serve ended: ${text}`)
}

export type Registration = { readonly key: string; readonly body: string }

/** Every one different, and made for one idempotency key. */
export const registration = (name: string): Registration => ({
  key: name,
  body: JSON.stringify(draft({ name, description: `${name} ${'and more of it, '.repeat(20)}the end` })),
})

export const register = (url: string, { key, body }: Registration): Promise<Response> =>
  fetch(`${url}/api/services`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'idempotency-key': key },
    body,
  })
