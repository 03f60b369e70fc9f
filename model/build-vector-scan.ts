// Assembles src/search/vector-scan.wat into src/search/vector-scan-wasm.ts:  bun model/build-vector-scan.ts
import { readFileSync, writeFileSync } from 'node:fs'
import loadWabt from 'wabt'

const WAT = new URL('../src/search/vector-scan.wat', import.meta.url)
const TS = new URL('../src/search/vector-scan-wasm.ts', import.meta.url)

export async function assembleVectorScan(): Promise<string> {
  const wabt = await loadWabt()
  const module = wabt.parseWat('vector-scan.wat', readFileSync(WAT, 'utf8'), { simd: true })
  const { buffer } = module.toBinary({})
  module.destroy()
  return Buffer.from(buffer).toString('base64')
}

if (import.meta.main) {
  const lines = (await assembleVectorScan()).match(/.{1,100}/g) ?? []
  const body = lines.map(line => `  '${line}',`).join('\n')
  writeFileSync(
    TS,
    `// Assembled from vector-scan.wat by model/build-vector-scan.ts.\n\nexport const VECTOR_SCAN_WASM = [\n${body}\n].join('')\n`,
  )
}
