// What it takes to add a message, done to a copy of the sources: its line in the table of its subject, and nothing else.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Addition, type CopiedSources, copySources, filesOf } from './copied-sources.ts'

const MESSAGE: readonly Addition[] = [
  {
    file: 'messages/standing.ts',
    before: '  restored_by: {',
    text: `  moved_house: {
    en: '{by:party} moved it {times:number} times, to {host:quoted}.',
    ja: '{by}が{times}回 {host:quoted} に移しました。',
  },
`,
  },
]
/** A program that creates and renders it, with the compiler's view of its values. */
const PROGRAM = `
import { isMessage, say, tell } from './messages/message.ts'
const message = say('moved_house', { by: 'owner', times: 2, host: 'a.example' })
// @ts-expect-error a number is expected
say('moved_house', { by: 'owner', times: 'two', host: 'a.example' })
// @ts-expect-error not one of the parties
say('moved_house', { by: 'nobody', times: 2, host: 'a.example' })
const foreign = { code: 'moved_house', values: { by: 'owner', times: 'two', host: 'a.example' } }
console.log(JSON.stringify([tell(message, 'en'), tell(message, 'ja'), isMessage(message), isMessage(foreign)]))
`

let copy: CopiedSources
beforeAll(async () => {
  copy = await copySources()
  await copy.add(MESSAGE)
  await Bun.write(`${copy.path}/src/program.ts`, PROGRAM)
})
afterAll(() => copy?.[Symbol.asyncDispose]())

test('a message takes one file; its values are checked by the compiler, and when it is read', async () => {
  expect(filesOf(MESSAGE)).toHaveLength(1)
  expect(await copy.compile(['src/program.ts'])).toEqual([])
  const { stdout } = Bun.spawnSync([process.execPath, 'src/program.ts'], { cwd: copy.path })
  expect(JSON.parse(stdout.toString())).toEqual([
    'Its owner moved it 2 times, to "a.example".',
    '登録者が2回 "a.example" に移しました。',
    true,
    false,
  ])
})
