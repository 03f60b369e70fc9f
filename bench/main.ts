// Lists the benchmarks, or runs one: npm run bench -- reads
import { Glob } from 'bun'

const SHARED = [
  'main',
  'catalog',
  'hostile-queries',
  'invented-catalog',
  'one-row-a-commit',
  'processes',
  'questions',
  'load',
  'two-nodes',
]
const questions = [...new Glob('*.ts').scanSync(import.meta.dir)]
  .map(file => file.replace(/\.ts$/, ''))
  .filter(name => !SHARED.includes(name))
  .sort()

const [name, ...args] = process.argv.slice(2)
if (name === undefined || !questions.includes(name)) {
  console.log('npm run bench -- <question> [options]')
  for (const question of questions) {
    const [first = ''] = (await Bun.file(`${import.meta.dir}/${question}.ts`).text()).split('\n')
    console.log(`  ${question.padEnd(16)} ${first.replace(/^\/\/ ?/, '')}`)
  }
  process.exit(name === undefined ? 0 : 2)
}
const { exited } = Bun.spawn([process.execPath, `${import.meta.dir}/${name}.ts`, ...args], {
  // No measurement asks a public node.
  env: { ...process.env, RPC_URL_PUBLIC: 'off' },
  stdio: ['inherit', 'inherit', 'inherit'],
})
process.exit(await exited)
