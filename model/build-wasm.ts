// Assembles the *.wat files of src/search into a *-wasm.ts beside each:  bun model/build-wasm.ts
import { readFileSync, writeFileSync } from 'node:fs'
import loadWabt from 'wabt'

const FOLDER = new URL('../src/search/', import.meta.url)
export const WASM_PATHS = ['vector/scan', 'embedding/rows'] as const

export async function assemble(path: (typeof WASM_PATHS)[number]): Promise<string> {
  const wabt = await loadWabt()
  const text = readFileSync(new URL(`${path}.wat`, FOLDER), 'utf8')
  const module = wabt.parseWat(`${path}.wat`, text, { simd: true })
  const { buffer } = module.toBinary({})
  module.destroy()
  return Buffer.from(buffer).toString('base64')
}

if (import.meta.main) {
  for (const path of WASM_PATHS) {
    const lines = (await assemble(path)).match(/.{1,100}/g) ?? []
    const body = lines.map(line => `  '${line}',`).join('\n')
    const name = path.slice(path.indexOf('/') + 1)
    const constant = `${name.toUpperCase().replaceAll('-', '_')}_WASM`
    writeFileSync(
      new URL(`${path}-wasm.ts`, FOLDER),
      `// Assembled from ${name}.wat by model/build-wasm.ts.\n\nexport const ${constant} = [\n${body}\n].join('')\n`,
    )
  }
}
