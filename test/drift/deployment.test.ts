// Files for machines that this one is not: what they name must exist, and what reads them must accept them.
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { SETTING_DEFAULTS } from '../../src/app/config.ts'

const ROOT = join(import.meta.dir, '../..')
const read = (name: string) => Bun.file(join(ROOT, name)).text()

const instructionsOf = (dockerfile: string) =>
  dockerfile
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter(line => line.trim() !== '' && !line.startsWith('#'))
    .map(line => /^([A-Z]+) (.*)$/.exec(line)!.slice(1) as [string, string])

describe('the Dockerfile', () => {
  test('copies what is there and is not ignored, runs as somebody, and starts what exists', async () => {
    const instructions = instructionsOf(await read('Dockerfile'))
    const copied = instructions
      .filter(([name, rest]) => name === 'COPY' && !rest.startsWith('--from'))
      .flatMap(([, rest]) => rest.split(' ').slice(0, -1))
    const taken = (await read('.dockerignore')).split('\n')
    for (const path of copied) {
      expect(existsSync(join(ROOT, path))).toBe(true)
      expect(taken).toContain(`!${path}`)
    }
    expect(instructions).toContainEqual(['USER', 'node'])
    expect(instructions).toContainEqual(['ENTRYPOINT', '["node", "bin/shirube.mjs"]'])
  })

  test('sets nothing that is no setting', async () => {
    const [, environment] = instructionsOf(await read('Dockerfile')).find(([name]) => name === 'ENV')!
    for (const pair of environment.split(' '))
      expect(Object.keys(SETTING_DEFAULTS)).toContain(pair.split('=')[0]!)
  })
})

test('compose.yaml starts nodes with known settings on one database', async () => {
  type Service = { readonly environment: Record<string, string>; readonly command?: readonly string[] }
  const compose = Bun.YAML.parse(await read('compose.yaml')) as { services: Record<string, Service> }
  const { database, ...nodes } = compose.services
  expect(database).toBeDefined()
  for (const { environment, command } of Object.values(nodes)) {
    for (const name of Object.keys(environment)) expect(Object.keys(SETTING_DEFAULTS)).toContain(name)
    expect(environment.DATABASE_URL).toContain('@database/')
    expect(command).toEqual(['serve', '--workers', 'auto'])
  }
})

test.skipIf(!Bun.which('systemd-analyze'))('shirube.service is a unit that systemd understands', () => {
  const { exitCode, stderr } = Bun.spawnSync([
    'systemd-analyze',
    'verify',
    '--man=no',
    join(ROOT, 'shirube.service'),
  ])
  // The program that it starts need not be installed where the unit is checked.
  const complaints = stderr
    .toString()
    .split('\n')
    .filter(line => line !== '' && !/is not executable/.test(line))
  expect(complaints).toEqual([])
  expect([0, 1]).toContain(exitCode)
})

test('shirube.service starts what exists', async () => {
  const unit = await read('shirube.service')
  expect(unit).toContain('ExecStart=/usr/bin/node bin/shirube.mjs serve')
  const settings = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name!)
  for (const name of settings) expect(Object.keys(SETTING_DEFAULTS)).toContain(name)
})
