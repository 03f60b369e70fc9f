// The packages that pay are loaded with the first payment: a server without a key never has them in memory.
import { expect, test } from 'bun:test'
import { Glob } from 'bun'

test('no file of the program imports the payment packages when it is loaded', async () => {
  const root = new URL('../../packages/buyer/src/', import.meta.url).pathname
  const transpiler = new Bun.Transpiler({ loader: 'ts' })
  const eager: string[] = []
  let later = 0
  for (const file of new Glob('**/*.ts').scanSync(root)) {
    const imports = transpiler.scanImports(await Bun.file(root + file).text())
    const paying = imports.filter(({ path }) => /^(@x402\/|viem\/accounts)/.test(path))
    if (paying.some(({ kind }) => kind !== 'dynamic-import')) eager.push(file)
    later += paying.length
  }
  expect(eager).toEqual([])
  expect(later).toBeGreaterThan(0)
})
