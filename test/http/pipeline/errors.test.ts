import { expect, test } from 'bun:test'
import { PROBLEM_TYPES } from '../../../src/directory/wire.ts'
import { DirectoryError } from '../../../src/domain/errors.ts'
import { answerProblem } from '../../../src/http/pipeline/answer.ts'
import { verbatim } from '../../../src/messages/message.ts'

test('the message of an internal error is never returned, whatever its type', () => {
  for (const fault of [
    new Error('secret'),
    new DirectoryError('internal', verbatim('secret')),
    'secret',
    undefined,
  ]) {
    const answer = answerProblem(fault)
    expect(answer.status).toBe(500)
    expect(answer.body).not.toContain('secret')
  }
})

test('every code has a status and its own title', () => {
  const titles = Object.values(PROBLEM_TYPES).map(({ title }) => title)
  expect(new Set(titles).size).toBe(titles.length)
})
