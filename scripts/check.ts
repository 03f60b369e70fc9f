// Everything that must hold besides the tests: types, lint and format, import rules, dead code, documents that could drift.
const bun = process.execPath
const checks: readonly (readonly [name: string, ...command: string[]])[] = [
  ['types', 'node_modules/.bin/tsc', '--noEmit'],
  ['lint and format', 'node_modules/.bin/biome', 'ci', '--error-on-warnings', '.'],
  ['import rules', bun, 'scripts/check-imports.ts'],
  ['line budgets', bun, 'scripts/check-budgets.ts'],
  ['dead code', 'node_modules/.bin/knip'],
  ['openapi.json', bun, 'scripts/write-openapi.ts', '--check'],
]

let failed = 0
for (const [name, ...command] of checks) {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { stdout: 'pipe', stderr: 'pipe' })
  console.log(`${exitCode === 0 ? 'ok  ' : 'FAIL'}  ${name}`)
  if (exitCode === 0) continue
  failed++
  console.log(`${stdout}${stderr}`.trimEnd())
}
process.exit(failed > 0 ? 1 : 0)
