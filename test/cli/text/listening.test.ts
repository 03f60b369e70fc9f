import { expect, test } from 'bun:test'
import { toCommand } from '../../../src/package/files.ts'

test('a start names the command that works where it runs', () => {
  expect(toCommand('/home/me/shirube')).toBe('npm run -s shirube --')
  expect(toCommand('/home/me/shop/node_modules/shirube')).toBe('npx shirube')
})
