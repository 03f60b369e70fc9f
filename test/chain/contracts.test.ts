import { expect, test } from 'bun:test'

test('the compiled contracts are what their sources say', async () => {
  const { stdout, exitCode } = Bun.spawnSync(['node', `${import.meta.dir}/compile.mjs`])
  expect(exitCode).toBe(0)
  expect(await Bun.file(`${import.meta.dir}/contracts.ndjson`).text()).toBe(stdout.toString())
})
