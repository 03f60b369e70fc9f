// A directory that probes endpoints on this machine, on a clock that the test moves.
import type { Service } from '../../src/domain/listing/service.ts'
import { body, openTestServer } from '../http/directory-server.ts'
import { PAYEE } from '../probe/merchant.ts'
import { ManualClock } from '../store/manual-clock.ts'

export type ProbingDirectory = Awaited<ReturnType<typeof openProbingDirectory>>

export async function openProbingDirectory(settings: Readonly<Record<string, string>> = {}) {
  const parts = new AsyncDisposableStack()
  const clock = new ManualClock()
  const directory = parts.use(
    await openTestServer({ PROBE: 'on', ALLOW_PRIVATE_ENDPOINTS: 'on', ...settings }, { clock }),
  )
  return {
    clock,
    directory,
    /** Closes something with the directory. */
    use: <T extends Disposable | AsyncDisposable>(part: T): T => parts.use(part),
    /** Opens a host on this machine, and returns its origin. */
    serve(answer: (url: URL) => Response | Promise<Response>): string {
      const fetch = (request: Request) => answer(new URL(request.url))
      const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch })
      parts.defer(() => server.stop(true))
      return `http://127.0.0.1:${server.port}`
    },
    async register(endpoint: string): Promise<Service> {
      const response = await directory.register(
        body({ endpoint, x402Config: { paymentAddress: PAYEE, network: 'base' } }),
      )
      if (response.status !== 201) throw new Error(await response.text())
      return response.json()
    },
    serviceOf: (id: string): Promise<Service> => directory.json(`/api/services/${id}`),
    /** Moves the clock until the condition holds. */
    async until(holds: () => Promise<boolean>, stepMs = 250): Promise<void> {
      while (!(await holds())) {
        clock.advance(stepMs)
        await Bun.sleep(2)
      }
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
