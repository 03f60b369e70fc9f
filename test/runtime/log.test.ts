import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createLog } from '../../src/runtime/log.ts'

const collect = (level: 'silent' | 'error' | 'info' | 'debug') => {
  const written: string[] = []
  const log = createLog({ level, write: lines => written.push(lines) })
  return { log, written }
}

test('lines are collected and written together', () => {
  const { log, written } = collect('info')
  log.info('one', { seq: 1 })
  log.warn('two')
  expect(written).toEqual([])
  log.flush()
  expect(written).toHaveLength(1)
  expect(
    written[0]!
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line)),
  ).toEqual([
    { time: expect.any(String), level: 'info', message: 'one', seq: 1 },
    { time: expect.any(String), level: 'warn', message: 'two' },
  ])
})

test('many lines are written at once', () => {
  const { log, written } = collect('info')
  for (let i = 0; i < 1000; i++) log.info('a line of some length that fills the buffer')
  expect(written.length).toBeGreaterThan(0)
  log[Symbol.dispose]()
  expect(written.join('').trimEnd().split('\n')).toHaveLength(1000)
})

test('a line of any length and script is written whole and in order', () => {
  const { log, written } = collect('info')
  const texts = [
    'short',
    '標'.repeat(5_000),
    '標'.repeat(50_000),
    'short again',
    '\u{1f600}'.repeat(9_000),
    'last',
  ]
  for (const text of texts) log.info(text)
  log[Symbol.dispose]()
  const lines = written.join('').trimEnd().split('\n')
  expect(lines.map(line => JSON.parse(line).message)).toEqual(texts)
})

test('a level includes itself and more severe ones', () => {
  const { log, written } = collect('error')
  log.debug('no')
  log.info('no')
  log.warn('no')
  log.error('yes', { error: new Error('broken', { cause: 'rust' }) })
  log[Symbol.dispose]()
  const line = JSON.parse(written.join(''))
  expect(line).toMatchObject({ level: 'error', message: 'yes', error: { message: 'broken', cause: 'rust' } })
  expect(line.error.stack).toContain('log.test.ts')
})

test('the level silent writes nothing', () => {
  const { log, written } = collect('silent')
  log.error('no')
  log[Symbol.dispose]()
  expect(written).toEqual([])
})

test('untrusted text in the log cannot control a terminal', () => {
  const { log, written } = collect('info')
  const evil = '\u001b[2J\u009b31m\u202eTXT\u2028\u{e0041}\nforged'
  log.warn(evil, { error: new Error(evil) })
  log.flush()
  const [line = '', ...rest] = written.join('').split('\n')
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
  expect(rest).toEqual([''])
  expect(JSON.parse(line)).toMatchObject({ message: evil, error: { message: evil } })
})

describe('on a terminal', () => {
  const texts = (tell: (log: ReturnType<typeof createLog>) => void): string[] => {
    const written: string[] = []
    using log = createLog({ level: 'debug', style: 'text', write: lines => written.push(lines) })
    tell(log)
    log.flush()
    return Bun.stripANSI(written.join(''))
      .split('\n')
      .map(line => line.replace(/^\d\d:\d\d:\d\d /, ''))
  }

  test('a line says what happened, with its values by name', () => {
    expect(
      texts(log => {
        log.info('ready', { services: 64, name: 'a b', state: 'fine', list: [1] })
        log.warn('waiting')
      }),
    ).toEqual(['info  ready services=64 name="a b" state=fine list=[1]', 'warn  waiting', ''])
  })

  test('an error has its location and cause', () => {
    const [first, second] = texts(log =>
      log.error('failed', { tool: 'x', error: new Error('No luck.', { cause: new Error('Rain.') }) }),
    )
    expect(first).toBe('error failed tool=x: No luck. (Error: Rain.)')
    expect(second).toStartWith('  at ')
  })

  test('a request is one short line', () => {
    const at = new Date('2026-11-16T10:00:00Z')
    const line = { at, id: 'r-1', method: 'GET', route: '/x', path: '/x', caller: 'key' } as const
    expect(
      texts(log => {
        log.request({ ...line, status: 200, ms: 1.234, bytes: 4_632 })
        log.request({ ...line, status: 503, ms: 10, bytes: undefined })
      }),
    ).toEqual(['info  200 GET /x  1.2 ms  4,632 B', 'warn  503 GET /x  10.0 ms', ''])
  })

  test('untrusted text cannot control it', () => {
    const [line] = texts(log => log.info('told', { name: 'a\u001b[2J\nb', bad: { text: '\u202e' } }))
    expect(line).not.toMatch(/[\u001b\u202e]/)
  })

  const script = `
    import { createLog } from ${JSON.stringify(join(import.meta.dir, '../../src/runtime/log.ts'))}
    createLog({ level: 'info' }).info('ready', { services: 1 })`

  test('the format depends on whether standard error is a terminal', async () => {
    const piped = Bun.spawnSync([process.execPath, '-e', script], { stderr: 'pipe' })
    expect(JSON.parse(piped.stderr.toString())).toMatchObject({ message: 'ready', services: 1 })
    let shown = ''
    const child = Bun.spawn([process.execPath, '-e', script], {
      terminal: {
        cols: 80,
        rows: 24,
        data(_, bytes) {
          shown += new TextDecoder().decode(bytes)
        },
      },
    })
    await child.exited
    while (!shown.includes('\n')) await Bun.sleep(1)
    expect(shown).toContain('info  ready services=1')
  })
})
