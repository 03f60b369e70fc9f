import { expect, test } from 'bun:test'
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

test('many lines do not wait', () => {
  const { log, written } = collect('info')
  for (let i = 0; i < 1000; i++) log.info('a line of some length that fills the buffer')
  expect(written.length).toBeGreaterThan(0)
  log[Symbol.dispose]()
  expect(written.join('').trimEnd().split('\n')).toHaveLength(1000)
})

test('a line of any length and script is written whole and in its turn', () => {
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

test('a level lets through itself and what is graver', () => {
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

test('silent is silent', () => {
  const { log, written } = collect('silent')
  log.error('no')
  log[Symbol.dispose]()
  expect(written).toEqual([])
})

test('what strangers wrote steers no terminal that shows the log', () => {
  const { log, written } = collect('info')
  const evil = '\u001b[2J\u009b31m\u202eTXT\u2028\u{e0041}\nforged'
  log.warn(evil, { error: new Error(evil) })
  log.flush()
  const [line = '', ...rest] = written.join('').split('\n')
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
  expect(rest).toEqual([''])
  expect(JSON.parse(line)).toMatchObject({ message: evil, error: { message: evil } })
})
