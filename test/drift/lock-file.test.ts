import { expect, test } from 'bun:test'

type Locked = {
  readonly resolved?: string
  readonly dev?: true
  readonly hasInstallScript?: true
  readonly optionalDependencies?: Record<string, string>
}
const lock = (await Bun.file(new URL('../../package-lock.json', import.meta.url)).json()) as {
  packages: Record<string, Locked>
}

test('the lock file names no registry', () => {
  const named = Object.entries(lock.packages).filter(([, { resolved }]) => resolved?.startsWith('http'))
  expect(named).toEqual([])
})

test('the lock file has the dependencies of the package', async () => {
  const { dependencies } = await Bun.file(new URL('../../package.json', import.meta.url)).json()
  expect(lock.packages['']).toMatchObject({ dependencies })
})

// npm 12 refuses to install from a lock file that leaves out the builds for other platforms.
test('the lock file holds every optional dependency, for whatever platform', () => {
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      name =>
        !(`node_modules/${name}` in lock.packages) && !(`${path}/node_modules/${name}` in lock.packages),
    ),
  )
  expect(missing).toEqual([])
})

test('every install script is allowed or refused by name', async () => {
  const { allowScripts } = await Bun.file(new URL('../../package.json', import.meta.url)).json()
  const scripted = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript)
  const names = scripted.map(([path]) => path.split('node_modules/').at(-1)!)
  expect(names.filter(name => !(name in allowScripts))).toEqual([])
})
