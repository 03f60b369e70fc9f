// Assembles the *.wat files of src/search/embedding into kernels.ts beside them:  bun model/build-wasm.ts
import { readFileSync, writeFileSync } from 'node:fs'
import loadWabt from 'wabt'

const FOLDER = new URL('../src/search/embedding/', import.meta.url)
const NAMES = ['rows', 'scan'] as const

export async function assemble(name: (typeof NAMES)[number]): Promise<string> {
  const wabt = await loadWabt()
  const text = readFileSync(new URL(`${name}.wat`, FOLDER), 'utf8')
  const module = wabt.parseWat(`${name}.wat`, text, { simd: true })
  const { buffer } = module.toBinary({})
  module.destroy()
  return Buffer.from(buffer).toString('base64')
}

if (import.meta.main) {
  const constants = NAMES.map(async name => {
    const lines = (await assemble(name)).match(/.{1,100}/g) ?? []
    const body = lines.map(line => `  '${line}',`).join('\n')
    return `export const ${name.toUpperCase()}_WASM = [\n${body}\n].join('')\n`
  })
  const head = '// Assembled from the *.wat files of this folder by model/build-wasm.ts.\n'
  writeFileSync(new URL('kernels.ts', FOLDER), [head, ...(await Promise.all(constants))].join('\n'))
}
