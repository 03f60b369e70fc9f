import { expect, test } from 'bun:test'
import { tell } from '../../src/messages/message.ts'
import { budgetsOf, sayChallengesSpent } from '../../src/webhooks/message.ts'

test('every budget that can be spent is told in the language of the reader', () => {
  const names = budgetsOf('key_1', 'receiver.dev', ['192.0.2.1'], false).map(({ name }) => name)
  const told = (language: 'en' | 'ja') => names.map(name => tell(sayChallengesSpent(name), language))
  expect(told('en')).toEqual([
    'Many challenges were sent to 192.0.2.1 within the hour.',
    'Many challenges were sent to receiver.dev within the hour.',
    'Many challenges were sent for your webhooks within the hour.',
  ])
  for (const sentence of told('ja')) expect(sentence).toMatch(/^この1時間に、.*チャレンジを送りました。$/)
})
