import { expect, test } from 'bun:test'
import { temporaryPath } from '../store/temporary-path.ts'
import { crash } from './crash.ts'

/** The long form is `npm run bench -- crash`. */
test('a directory killed during registrations keeps every confirmed entry, once and complete', async () => {
  const databaseUrl = `sqlite:${temporaryPath('killed.db')}`
  for (let round = 0; round < 2; round++) {
    const { promised, unanswered } = await crash({ databaseUrl, round, clients: 24, answers: 150 })
    expect(promised).toBeGreaterThanOrEqual(150)
    expect(unanswered).toBe(24)
  }
})
