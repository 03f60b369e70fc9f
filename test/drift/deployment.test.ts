// Files for machines that this one is not: what they name must exist, and what reads them must accept them.
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import openApi from '../../openapi.json' with { type: 'json' }
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
  test('copies only existing files, runs as an unprivileged user, and starts an existing program', async () => {
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

describe('kubernetes.yaml', async () => {
  type Probe = { readonly httpGet: { readonly path: string; readonly port: string } }
  type Container = Readonly<Record<'startupProbe' | 'readinessProbe' | 'livenessProbe', Probe>> & {
    readonly args: readonly string[]
    readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
    readonly env: readonly { readonly name: string; readonly value: string }[]
    readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
    readonly securityContext: Record<string, unknown>
  }
  type Pod = {
    readonly containers: readonly [Container]
    readonly volumes: readonly { readonly name: string }[]
    readonly securityContext: Record<string, unknown>
    readonly terminationGracePeriodSeconds: number
  }
  type Labels = Record<string, string>
  type Object = {
    readonly kind: string
    readonly stringData: Record<string, string>
    readonly spec: {
      readonly selector: Labels & { readonly matchLabels: Labels }
      readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: Pod }
    }
  }
  const objects = Bun.YAML.parse(await read('kubernetes.yaml')) as Object[]
  const find = (kind: string) => objects.find(object => object.kind === kind)!
  const { selector, template } = find('Deployment').spec
  const pod = template.spec
  const [container] = pod.containers

  test('probes startup, readiness and liveness at the right addresses', () => {
    for (const [name, path] of [
      ['startupProbe', '/readyz'],
      ['readinessProbe', '/readyz'],
      ['livenessProbe', '/healthz'],
    ] as const) {
      expect(container[name].httpGet).toEqual({ path, port: 'http' })
      expect(Object.keys(openApi.paths)).toContain(path)
    }
    expect(container.ports).toEqual([{ name: 'http', containerPort: Number(SETTING_DEFAULTS.PORT) }])
    expect(container.args).toEqual(['serve'])
  })

  test('sets nothing that is no setting', () => {
    const names = [...container.env.map(({ name }) => name), ...Object.keys(find('Secret').stringData)]
    for (const name of names) expect(Object.keys(SETTING_DEFAULTS)).toContain(name)
  })

  test('routes requests to its pods, which run as nobody and write only to a volume', () => {
    for (const labels of [
      selector.matchLabels,
      find('Service').spec.selector,
      find('PodDisruptionBudget').spec.selector.matchLabels,
    ])
      expect(labels).toEqual(template.metadata.labels)
    expect(pod.securityContext.runAsNonRoot).toBe(true)
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.volumeMounts.map(({ name }) => name)).toEqual(pod.volumes.map(({ name }) => name))
  })
})

test.skipIf(!Bun.which('systemd-analyze'))('shirube.service restricts an intruder', () => {
  const { stdout } = Bun.spawnSync([
    ...['systemd-analyze', 'security', '--offline=true', '--no-pager'],
    join(ROOT, 'shirube.service'),
  ])
  // Of 10; from 5 on a service counts as exposed. Its network is the largest part of what is left.
  const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout.toString()) ?? []
  expect(Number(exposure)).toBeLessThan(2)
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

test('shirube.service starts an existing program', async () => {
  const unit = await read('shirube.service')
  expect(unit).toContain('ExecStart=/usr/bin/env node /opt/shirube/bin/shirube.mjs serve')
  const settings = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name!)
  for (const name of settings) expect(Object.keys(SETTING_DEFAULTS)).toContain(name)
})
