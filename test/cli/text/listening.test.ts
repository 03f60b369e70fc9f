import { expect, test } from 'bun:test'
import { toCommand } from '../../../src/cli/text/listening.ts'

test('a start names the command that works where it runs', () => {
  expect(toCommand('src', '/home/me/shirube')).toBe('npm run -s shirube --')
  expect(toCommand('dist', '/home/me/shop/node_modules/shirube')).toBe('npx shirube')
  // As the container image has it: nothing that npm has installed.
  expect(toCommand('dist', '/app')).toBe('node /app/bin/shirube.mjs')
})
