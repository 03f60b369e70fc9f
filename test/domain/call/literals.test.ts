import { expect, test } from 'bun:test'
import { toShell } from '../../../src/domain/call/payer.ts'
import { fc } from '../../fast-check.ts'

/** Words of fish as its documentation tells them: in single quotes a backslash escapes a quote and itself. */
function readFish(command: string): string | undefined {
  let word = ''
  let isQuoted = false
  for (let i = 0; i < command.length; i++) {
    const [letter, next] = [command[i]!, command[i + 1]]
    if (letter === "'") isQuoted = !isQuoted
    else if (letter === '\\' && next !== undefined && (!isQuoted || next === "'" || next === '\\'))
      word += command[++i]
    else if (!isQuoted) return undefined
    else word += letter
  }
  return isQuoted ? undefined : word
}

const SPECIAL = fc.string({
  unit: fc.constantFrom("'", '\\', '"', '$', '`', ';', 'a', ' ', '\n'),
  maxLength: 12,
})

test('a quoted word is one word in fish, whatever it contains', () => {
  fc.assert(fc.property(SPECIAL, text => readFish(toShell(text)) === text))
})

test('a quoted word is one word in a POSIX shell, whatever it contains', async () => {
  const texts = [...fc.sample(SPECIAL, 200), `it's $HOME \`id\` "x" \\ 天気`, 'x\\', '{"a":"b\\nc"}']
  const command = `printf '%s\\0' ${texts.map(toShell).join(' ')}`
  const spoken = await new Response(Bun.spawn(['sh', '-c', command]).stdout).text()
  expect(spoken.split('\0').slice(0, -1)).toEqual(texts)
})

test('JSON stays readable in a quoted word', () => {
  expect(toShell('{"text":"a \\"b\\" c"}')).toBe(`'{"text":"a \\"b\\" c"}'`)
})
