import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { COMMANDS } from '../../../src/cli/syntax/commands.ts'
import { optionsOf as allOptionsOf } from '../../../src/cli/syntax/options.ts'
import { type Folder, openFolder } from '../shirube.ts'

const options = new Map<string, string[]>()
for (const command of COMMANDS)
  options.set(
    command.name,
    Object.keys(await allOptionsOf(command)).map(option => `--${option}`),
  )

describe('Completion', () => {
  let folder: Folder
  beforeAll(async () => {
    folder = await openFolder()
  })
  afterAll(() => folder[Symbol.asyncDispose]())

  const scriptFor = async (shell: string) => {
    const { code, stdout } = await folder.run(['completion', shell])
    expect(code).toBe(0)
    return stdout
  }

  /** What a shell does with a script; its standard output. */
  async function runShell(shell: string, script: string): Promise<string> {
    const file = await folder.file(`try.${shell}`, script)
    const args = { bash: ['--norc', file], zsh: ['-f', file], fish: ['--no-config', file] }[shell]!
    const child = Bun.spawn([shell, ...args], { cwd: folder.path, stdout: 'pipe', stderr: 'pipe' })
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
    expect(stderr).toBe('')
    return stdout
  }

  const firstWords = [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0]!))]
  const optionsOf = (name: string) => options.get(name)!
  const lines: [string[], string[]][] = [
    [[''], firstWords],
    [['ke'], ['keys']],
    [
      ['keys', ''],
      ['create', 'list', 'revoke'],
    ],
    [['keys', 'create', 'x', '--'], optionsOf('keys create')],
    [['keys', 'list', '--'], optionsOf('keys list')],
    [
      ['list', '--sort'],
      ['--sort-by', '--sort-order'],
    ],
    [['search', 'tides', '--'], optionsOf('search')],
  ]

  describe.skipIf(Bun.which('bash') === null)('in bash', () => {
    test.each(lines)('of %j', async (words, found) => {
      const given = ['shirube', ...words].map(word => `'${word}'`).join(' ')
      const script = `${await scriptFor('bash')}
COMP_WORDS=(${given}); COMP_CWORD=${words.length}; _shirube; printf '%s\\n' "\${COMPREPLY[@]}"`
      expect((await runShell('bash', script)).trim().split('\n').sort()).toEqual([...found].sort())
    })
  })

  describe.skipIf(Bun.which('zsh') === null)('in zsh', () => {
    test.each(lines)('of %j', async (words, found) => {
      const given = ['shirube', ...words].map(word => `'${word}'`).join(' ')
      // The functions of the completion system, which needs a terminal: what they are handed is what is offered.
      const script = `compdef() { : }
_files() { : }
_describe() { for each in "\${(@P)4}"; do print -r -- "\${each%%:*}"; done }
${await scriptFor('zsh')}
words=(${given}); CURRENT=${words.length + 1}; PREFIX=${`'${words.at(-1)}'`}; _shirube`
      const offered = (await runShell('zsh', script)).trim().split('\n')
      expect(offered.filter(word => word.startsWith(words.at(-1)!)).sort()).toEqual([...found].sort())
    })
  })

  describe.skipIf(Bun.which('fish') === null)('in fish', () => {
    test.each(lines)('of %j', async (words, found) => {
      const script = `${await scriptFor('fish')}
complete -C '${['shirube', ...words].join(' ')}'`
      const offered = (await runShell('fish', script)).trim().split('\n')
      expect(offered.map(line => line.split('\t')[0]!).sort()).toEqual([...found].sort())
    })
  })

  test('gives every command a name of its own', () => {
    const names = COMMANDS.map(({ name }) => name)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })

  test('names every command in every shell', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const script = await scriptFor(shell)
      for (const { name } of COMMANDS) expect(script).toContain(name)
    }
  })

  test('is there for three shells, and says so', async () => {
    const { code, stdout, stderr } = await folder.run(['completion', 'tcsh'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('Completion supports bash, zsh, fish, not "tcsh".')
  })
})
