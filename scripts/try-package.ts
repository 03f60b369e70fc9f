// Installs the package as npm and Bun do, and starts it on each version of Node.js that it names, and on Bun with no Node.js at all:
// npx bun scripts/try-package.ts [versions, 20 22 24]. It loads both from the registry, so that no test runs it.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { installPacked } from '../test/packed.ts'

const VERSIONS = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24']
const folder = mkdtempSync(join(tmpdir(), 'shirube-try-'))
const platform = process.platform === 'win32' ? 'win' : process.platform
/** Whoever looks here finds no Node.js. */
const withoutNode = project('tools')
for (const tool of ['sh', 'env']) {
  const path = Bun.which(tool)
  if (path !== null) symlinkSync(path, join(withoutNode, tool))
}

function run(cmd: readonly string[], cwd: string, env: Record<string, string | undefined> = {}): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...cmd], { cwd, env: { ...process.env, ...env } })
  if (exitCode !== 0) throw new Error(`${cmd.join(' ')} ended with ${exitCode}: ${stdout}${stderr}`)
  return stdout.toString().trim()
}

function project(name: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  return path
}

/** Serves the sample catalog, asks it a sentence, looks at a page, and ends it. */
async function tryServer(command: readonly string[], cwd: string, PATH?: string): Promise<string> {
  const startedAt = performance.now()
  const child = Bun.spawn([...command, 'serve', '--sample', '--port', '0'], {
    cwd,
    env: { ...process.env, ...(PATH !== undefined && { PATH }), PROBE: 'off', LOG_LEVEL: 'warn' },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let said = ''
  for await (const bytes of child.stdout) {
    said += new TextDecoder().decode(bytes)
    if (/listening: \S+\s/.test(said)) break
  }
  const url = /listening: (\S+)/.exec(said)?.[1]
  if (url === undefined) throw new Error(`It did not start: ${said}`)
  while (!(await fetch(`${url}/readyz`)).ok) await Bun.sleep(5)
  const readyMs = performance.now() - startedAt
  const answer = await fetch(`${url}/api/services/search/intent?limit=1&q=${encodeURIComponent('天気予報')}`)
  const { results } = (await answer.json()) as { results: [{ service: { category: string } }] }
  const page = await fetch(`${url}/?q=weather`)
  child.kill('SIGTERM')
  const code = await child.exited
  if (results[0].service.category !== 'weather' || !page.ok || code !== 0)
    throw new Error(`It answered ${JSON.stringify(results)} and ${page.status}, and ended with ${code}.`)
  return `ready in ${readyMs.toFixed(0)} ms, searched, looked at and ended`
}

try {
  const { tarball } = await installPacked(folder)
  for (const version of VERSIONS) {
    const name = `node-${platform}-${process.arch}`
    const place = project(`node-${version}`)
    run(['npm', 'install', '--prefix', place, '--no-save', `${name}@${version}`], place)
    const bin = join(place, 'node_modules', name, 'bin')
    const PATH = `${bin}${delimiter}${withoutNode}`
    const used = project(`project-${version}`)
    run(['npm', 'install', '--prefix', used, tarball], used)
    const link = join(used, 'node_modules/.bin/shirube')
    const told = [run(['node', '--version'], used, { PATH }), run([link, '--version'], used, { PATH })]
    console.log(`Node.js ${told.join(', shirube ')}: ${await tryServer([link], used, PATH)}`)
  }
  const used = project('project-of-bun')
  await Bun.write(join(used, 'package.json'), '{}')
  run([process.execPath, 'add', tarball], used, { PATH: withoutNode })
  const place = join(used, 'node_modules/shirube')
  const bun = process.execPath
  const command = [bun, join(place, 'bin/shirube.mjs')]
  console.log(`Bun ${Bun.version} alone: ${await tryServer(command, used, withoutNode)}`)
  console.log(
    `${run(['du', '-sm', join(folder, `project-${VERSIONS[0]}`)], folder).split('\t')[0]} MiB installed`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
