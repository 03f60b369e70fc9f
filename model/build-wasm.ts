// Assembles src/search/*.wat into a *-wasm.ts beside each:  bun model/build-wasm.ts
import { readFileSync, writeFileSync } from 'node:fs'
import loadWabt from 'wabt'

const FOLDER = new URL('../src/search/', import.meta.url)
export const WASM_NAMES = ['vector-scan', 'embedding-rows', 'bit-rows'] as const

export async function assemble(name: (typeof WASM_NAMES)[number]): Promise<string> {
  const wabt = await loadWabt()
  const text = readFileSync(new URL(`${name}.wat`, FOLDER), 'utf8')
  const module = wabt.parseWat(`${name}.wat`, text, { simd: true })
  const { buffer } = module.toBinary({})
  module.destroy()
  return Buffer.from(buffer).toString('base64')
}

if (import.meta.main) {
  for (const name of WASM_NAMES) {
    const lines = (await assemble(name)).match(/.{1,100}/g) ?? []
    const body = lines.map(line => `  '${line}',`).join('\n')
    const constant = `${name.toUpperCase().replaceAll('-', '_')}_WASM`
    writeFileSync(
      new URL(`${name}-wasm.ts`, FOLDER),
      `// Assembled from ${name}.wat by model/build-wasm.ts.\n\nexport const ${constant} = [\n${body}\n].join('')\n`,
    )
  }
}
