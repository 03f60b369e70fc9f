// `npm start` stands between a person or a supervisor and the server: what ends it ends the server.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Folder, openFolder } from './shirube.ts'

const ROOT = join(import.meta.dir, '../..')
let folder: Folder
beforeAll(async () => {
  folder = await openFolder()
})
afterAll(() => folder[Symbol.asyncDispose]())

const isAnswered = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  )

test.if(process.platform !== 'win32').each(['SIGTERM', 'SIGINT'] as const)(
  'a server ends with the npm that started it, by %s',
  async signal => {
    const settings = { DATABASE_URL: `sqlite:${join(folder.path, `${signal}.db`)}`, LOG_LEVEL: 'warn' }
    const { env } = folder.command([], settings)
    const child = Bun.spawn(['npm', 'start', '--', '--port', '0'], { cwd: ROOT, env, stdout: 'pipe' })
    let said = ''
    for await (const bytes of child.stdout) {
      said += new TextDecoder().decode(bytes)
      if (/listening: \S+\s/.test(said)) break
    }
    const [, url] = /listening: (\S+)/.exec(said)!
    // npm alone gets it, not the group that a terminal would send it to.
    child.kill(signal)
    await child.exited
    while (await isAnswered(url!)) await Bun.sleep(20)
    expect(child.killed).toBe(true)
  },
)
