// Reads the code blocks of a document and runs them, in their order, as a reader would.
import { SETTING_DEFAULTS } from '../../src/app/config.ts'
import type { Folder, Serving } from '../cli/shirube.ts'
import { freePort } from '../free-port.ts'
import { MAIN } from '../program.ts'

const root = new URL('../..', import.meta.url).pathname
/** Where a `serve` without settings listens, and the merchant of the examples; both run on free ports instead. */
const STANDARD_ADDRESS = `http://127.0.0.1:${SETTING_DEFAULTS.PORT}`
const MERCHANT_PORT = '4021'
const SHIRUBE = 'npm run -s shirube --'

export type Block = { readonly language: string; readonly text: string }

export const readDocument = (path: string): Promise<string> => Bun.file(`${root}${path}`).text()

export const blocksOf = (document: string): Block[] =>
  [...document.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }))

/** The lines of a shell block, continued ones joined, comments left out. */
export const linesOf = ({ text }: Block): string[] =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map(line => line.replace(/\s+#.*$/, '').trim())
    .filter(line => line !== '')

/** curl: asks the directory. shirube: a command that ends. merchant: goes on in the background. aside: only read. */
export function kindOf(line: string): 'curl' | 'shirube' | 'merchant' | 'aside' | undefined {
  if (line.startsWith('curl ')) return 'curl'
  if (line.endsWith('&')) return 'merchant'
  if (line.includes(`${SHIRUBE} `)) return 'shirube'
  // What installs, starts, tests or trains is named by other tests, or takes what a test has not.
  if (
    /^(npm (ci|install|start|test|run \w+)\b|export |cp |ln |systemctl |sh model\/|python3 model\/|npx bun )/.test(
      line,
    )
  )
    return 'aside'
  // What an operator does with a database server, or leaves running, is run by operating.test.ts.
  if (/^(psql|pg_\w+|createdb) |^(DATABASE_URL=\S+ )?node bin\/shirube\.mjs (serve|backup|copy)\b/.test(line))
    return 'aside'
  return undefined
}

export type Ran = { readonly line: string; readonly ok: boolean; readonly output: string }

export function createRunner({ serving, folder }: { serving: Serving; folder: Folder }) {
  const [key = ''] = /shb_\w+/.exec(serving.stdout()) ?? []
  const merchants: { kill(): void }[] = []
  const merchantPort = freePort().then(String)
  let id = ''

  /** In one pass: the port where the directory listens may contain the digits of the merchant's. */
  async function adapt(text: string): Promise<string> {
    const replacements: Readonly<Record<string, string>> = {
      [STANDARD_ADDRESS]: serving.url,
      // Public lists are out of reach of tests: what this directory publishes in their formats is read instead.
      'sync CDP': `sync ${serving.url}/discovery/resources`,
      'sync PayAI': `sync ${serving.url}/api/export`,
      [MERCHANT_PORT]: await merchantPort,
      'http://127.0.0.1:…': text.includes('http://127.0.0.1:…') ? await merchantsOf(serving.url) : '',
      'shb_…': key,
      'svc_…': text.includes('svc_…') ? id || (await anyId(serving.url)) : '',
      '/path/to/shirube/data': `${folder.path}/data`,
      '/path/to/shirube/': root,
    }
    const names = Object.keys(replacements).map(RegExp.escape).join('|')
    return text.replaceAll(new RegExp(names, 'g'), name => replacements[name]!)
  }

  async function sh(command: string) {
    const env = { ...process.env, SHIRUBE_KEY: key, SHIRUBE_URL: serving.url }
    const child = Bun.spawn(['sh', '-c', command], {
      cwd: folder.path,
      env: { ...env, ALLOW_PRIVATE_ENDPOINTS: 'on' },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    return { stdout, stderr, code }
  }

  async function curl(line: string): Promise<Ran> {
    const command = (await adapt(line)).replace(/^curl/, "curl -sS -w '\\n%{http_code}'")
    const { stdout, stderr } = await sh(command)
    const [, body = '', status = ''] = /^([\s\S]*)\n(\d+)$/.exec(stdout) ?? []
    const registered = status === '201' ? /"id":"(svc_\w+)"/.exec(body)?.[1] : undefined
    id = registered ?? id
    const isEmpty = /^\[\s*\]$|"(results|endpoints)":\s*\[\s*\]/.test(body)
    if (isEmpty && line.includes('level=')) {
      // The merchants of the sample have not been probed yet.
      const [, url] = /'(http[^']+)'/.exec(command)!
      while ((await (await fetch(url!)).text()).trim() === body.trim()) await Bun.sleep(200)
      return curl(line)
    }
    // Where the directory itself has ended, its last words say why.
    return {
      line,
      ok: /^2/.test(status) && !isEmpty,
      output: stdout + stderr + serving.stderr().slice(-2000),
    }
  }

  async function shirube(line: string): Promise<Ran> {
    // Without the launcher, which takes half of the time of a command.
    const command = (await adapt(line)).replaceAll(SHIRUBE, `${process.execPath} ${MAIN}`)
    const { stdout, stderr, code } = await sh(command)
    id = /^Registered .* as (svc_\w+)/m.exec(stdout)?.[1] ?? id
    // A check that fails says so with its exit code; the line itself was right.
    return { line, ok: code === 0 || (code === 1 && line.includes(' check ')), output: stdout + stderr }
  }

  return {
    adapt,

    async run(line: string): Promise<Ran> {
      const kind = kindOf(line)
      if (kind === 'curl') return curl(line)
      if (kind === 'shirube') return shirube(line)
      if (kind === 'merchant') {
        const command = (await adapt(line)).replace(/\s*&$/, '')
        merchants.push(Bun.spawn(['sh', '-c', `exec ${command}`], { stdout: 'ignore', stderr: 'inherit' }))
        return { line, ok: await isListening(await merchantPort), output: 'nobody listens' }
      }
      return { line, ok: kind === 'aside', output: 'not a kind of line that is known' }
    },

    /** A program in TypeScript, on the source of what it imports: the build of that has its own test. */
    async runProgram(text: string): Promise<Ran> {
      const file = `${root}tmp/document-${crypto.randomUUID()}.ts`
      const source = (await adapt(text)).replaceAll(/'shirube\/(\w+)'/g, `'${root}src/http/client/$1.ts'`)
      await Bun.write(file, source)
      try {
        const child = Bun.spawn([process.execPath, file], {
          cwd: root,
          env: { ...process.env, EVM_PRIVATE_KEY: `0x${'1'.repeat(64)}` },
          stdout: 'pipe',
          stderr: 'pipe',
        })
        const [stdout, stderr, code] = await Promise.all([
          child.stdout.text(),
          child.stderr.text(),
          child.exited,
        ])
        return { line: 'program', ok: code === 0 && stdout !== '', output: stdout + stderr }
      } finally {
        await Bun.file(file).delete()
      }
    },

    stop() {
      for (const merchant of merchants) merchant.kill()
    },
  }
}

async function anyId(url: string): Promise<string> {
  const [service] = (await (await fetch(`${url}/api/services?limit=1`)).json()) as { id: string }[]
  return service!.id
}

/** Where those of the sample answer. */
async function merchantsOf(url: string): Promise<string> {
  const [parcels] = (await (await fetch(`${url}/api/services?query=parcel`)).json()) as { endpoint: string }[]
  return new URL(parcels!.endpoint).origin
}

async function isListening(port: string): Promise<boolean> {
  for (let tries = 0; tries < 600; tries++) {
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (isUp) return true
    await Bun.sleep(50)
  }
  return false
}
