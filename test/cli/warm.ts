// A process that is kept from one command to the next, as long as the test process lives.
import type { Finished } from './shirube.ts'

export type TypedLine = {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: string
  /** Written to both outputs after the last word of the line. */
  readonly mark: string
}

const PROGRAM = new URL('./warm-process.ts', import.meta.url).pathname

type Warm = { run(line: Omit<TypedLine, 'mark'>): Promise<Finished> }

/** Those that do nothing. Lines that are to run at once need several. */
const free: Warm[] = []

export async function runWarm(line: Omit<TypedLine, 'mark'>): Promise<Finished> {
  const warm = free.pop() ?? start()
  const finished = await warm.run(line)
  free.push(warm)
  return finished
}

function start(): Warm {
  let ended = Promise.withResolvers<number>()
  const child = Bun.spawn([process.execPath, PROGRAM], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    ipc: code => ended.resolve(code),
  })
  child.unref()
  void child.exited.then(code =>
    ended.reject(new Error(`A process that runs commands has ended with ${code}.`)),
  )
  const [stdout, stderr] = [child.stdout, child.stderr].map(toReader)
  return {
    async run(line) {
      ended = Promise.withResolvers()
      const mark = `\0${crypto.randomUUID()}`
      child.send({ ...line, mark } satisfies TypedLine)
      const [code, out, err] = await Promise.all([ended.promise, stdout!(mark), stderr!(mark)])
      return { code, stdout: out, stderr: err }
    },
  }
}

/** Reads up to a mark at a time. */
function toReader(stream: ReadableStream<Uint8Array>): (mark: string) => Promise<string> {
  const reader = stream.getReader()
  return async mark => {
    const decoder = new TextDecoder()
    let text = ''
    while (!text.endsWith(mark)) {
      const { value, done } = await reader.read()
      if (done) throw new Error(`A process that runs commands has ended: ${text}`)
      text += decoder.decode(value, { stream: true })
    }
    return text.slice(0, -mark.length)
  }
}
