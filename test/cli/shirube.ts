// Runs the real command line in a child process, in a folder of its own.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SETTING_DEFAULTS } from '../../src/app/config.ts'
import { LAUNCHER, MAIN } from '../program.ts'
import { runWarm } from './warm.ts'

/** Children are slow to start on a machine that is busy with other tests; only a hang takes so long. */
const PATIENCE_MS = 200_000

export type Command = {
  readonly cmd: string[]
  readonly cwd: string
  readonly env: Record<string, string | undefined>
}

export type Finished = { readonly code: number; readonly stdout: string; readonly stderr: string }

type RunOptions = {
  readonly stdin?: string
  readonly env?: Record<string, string>
  /** Another copy of the program. */
  readonly main?: string
  /** In a process of its own, which ends with it. */
  readonly isAlone?: boolean
}

export interface Folder extends AsyncDisposable {
  readonly path: string
  file(name: string, content: string | Uint8Array): Promise<string>
  /** How a command is started, for a test that does it itself. */
  command(args: readonly string[], env?: Record<string, string>): Command
  /** Runs one command to its end, in a process that may have run others. */
  run(args: readonly string[], options?: RunOptions): Promise<Finished>
  /** The same on a terminal of this width; what it shows on both outputs. */
  runOnTerminal(
    args: readonly string[],
    columns: number,
    env?: Record<string, string>,
    /** What somebody types once they are asked. */
    typed?: string,
  ): Promise<string>
  /** Starts `serve` on a free port, without the launcher unless one is named, and waits until it has read its catalog. */
  serve(args?: readonly string[], env?: Record<string, string>, launcher?: string): Promise<Serving>
}

export interface Serving extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  /** What it has printed on standard output. */
  stdout(): string
  stderr(): string
  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): void
  readonly exited: Promise<number>
}

export async function openFolder(settings: Record<string, string> = {}): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'shirube-cli-'))
  const inherited = Object.entries(process.env).filter(([name]) => !(name in SETTING_DEFAULTS))
  const environment = { ...Object.fromEntries(inherited), PROBE: 'off', LOG_LEVEL: 'info', ...settings }
  const start = (by: readonly string[], args: readonly string[], env: Record<string, string> = {}) => ({
    cmd: [...by, ...args],
    cwd: path,
    env: { ...environment, ...env },
  })
  const launch = start.bind(undefined, ['node', LAUNCHER])
  const runBy = (main: string) => start.bind(undefined, [process.execPath, main])
  const runMain = runBy(MAIN)

  return {
    path,
    command: launch,
    async file(name, content) {
      await Bun.write(join(path, name), content)
      return join(path, name)
    },

    async run(args, { stdin = '', env, main = MAIN, isAlone = main !== MAIN || args[0] === 'serve' } = {}) {
      // A server ends its process, and settings in a file are read by one that starts.
      if (!isAlone && !existsSync(join(path, '.env')))
        return runWarm({ args, cwd: path, env: { ...environment, ...env }, stdin })
      const child = Bun.spawn({
        ...runBy(main)(args, env),
        stdin: new TextEncoder().encode(stdin),
        timeout: PATIENCE_MS,
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const [stdout, stderr, code] = await Promise.all([
        child.stdout.text(),
        child.stderr.text(),
        child.exited,
      ])
      return { code, stdout, stderr }
    },

    async runOnTerminal(args, columns, env, typed = '') {
      const decoder = new TextDecoder()
      let shown = ''
      let isTyped = false
      const child = Bun.spawn({
        ...runMain(args, { TERM: 'xterm-256color', ...env }),
        terminal: {
          cols: columns,
          rows: 24,
          data(terminal, bytes) {
            shown += decoder.decode(bytes, { stream: true })
            if (isTyped || !shown.includes('[y/N]')) return
            isTyped = true
            terminal.write(typed)
          },
        },
      })
      await child.exited
      return shown.replaceAll('\r\n', '\n')
    },

    async serve(args = [], env, launcher) {
      const by = launcher === undefined ? [process.execPath, MAIN] : ['node', launcher]
      const child = Bun.spawn({
        ...start(by, ['serve', '--port', '0', ...args], env),
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const output = { stdout: '', stderr: '' }
      const stderrEnded = gather(child.stderr, text => {
        output.stderr += text
      })
      const url = await new Promise<string>((resolve, reject) => {
        const stdoutEnded = gather(child.stdout, text => {
          output.stdout += text
          const [, found] = /listening: (\S+)/.exec(output.stdout) ?? []
          if (found !== undefined && output.stdout.endsWith('\n')) resolve(found)
        })
        Promise.all([stdoutEnded, stderrEnded]).then(() => reject(new Error(`serve ended: ${output.stderr}`)))
      })
      while (!(await fetch(`${url}/readyz`)).ok) await Bun.sleep(10)
      return {
        url,
        pid: child.pid,
        stdout: () => output.stdout,
        stderr: () => output.stderr,
        signal: name => child.kill(name),
        exited: child.exited,
        async [Symbol.asyncDispose]() {
          child.kill('SIGTERM')
          await child.exited
        },
      }
    },

    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}

async function gather(stream: ReadableStream<Uint8Array>, onText: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  for await (const bytes of stream) onText(decoder.decode(bytes, { stream: true }))
}
