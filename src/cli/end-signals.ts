// The start and the end of a server: what it prints, and the signals that end it.

import { isIP } from 'node:net'
import type { Config } from '../app/config.ts'
import type { FirstKey } from '../app/local.ts'
import type { App } from '../app/server.ts'
import { OWN_COMMAND } from '../package/files.ts'
import { systemClock } from '../runtime/clock.ts'
import { CommandFailed } from './syntax/command.ts'

/** One Ctrl+C reaches a process several times: from the terminal, npm, the launcher and the parent. */
const SAME_SIGNAL_MS = 500
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

type Ending = keyof typeof EXIT_CODES

/** Keeps the process alive until disposed. */
interface EndSignals extends Disposable {
  /** The first signal to end; the exit of the process that started this one counts as SIGTERM. */
  readonly first: Promise<Ending>
}

/** Listens for signals to end. A second, later one ends the process at once. SIGHUP from a closed terminal ends it in order. */
export function listenForEnd(): EndSignals {
  const { promise, resolve } = Promise.withResolvers<Ending>()
  let firstAtMs: number | undefined
  const onSignal = (signal: Ending) => {
    const nowMs = systemClock.now().getTime()
    if (firstAtMs !== undefined && Math.abs(nowMs - firstAtMs) > SAME_SIGNAL_MS) {
      process.exit(EXIT_CODES[signal])
    }
    firstAtMs ??= nowMs
    resolve(signal)
  }
  for (const signal of Object.keys(EXIT_CODES) as Ending[]) process.on(signal, () => onSignal(signal))
  // The launcher, and the process that starts workers, hold an IPC channel. It closes when they end, also if they are killed.
  const onOrphaned = () => resolve('SIGTERM')
  process.once('disconnect', onOrphaned)
  return { first: promise, [Symbol.dispose]: () => process.off('disconnect', onOrphaned) }
}

export type Listening = {
  readonly urls: readonly string[]
  readonly firstKey?: FirstKey | undefined
  /** Token of the link to the operator's room, as long as no operator has a key. */
  readonly linkToken?: string | undefined
}

/** undefined while the store takes no writes, too: the directory starts all the same. */
export const findLinkToken = ({ directory }: Pick<App, 'directory'>): Promise<string | undefined> =>
  directory.createLink().catch(() => undefined)

type Address = Pick<Config, 'hosts' | 'port'>

/** One of the public lists; `README.md` names more, and what they contain. */
const FILL = `${OWN_COMMAND} sync PayAI`

export const EMPTY_TEXT = `The catalog is empty. Fill it with real services in the operator's room, or by running next to the server: ${FILL}`

/** Where this machine reaches what listens on all of its addresses. */
export const toLocal = (url: string): string =>
  url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')

export function listeningText(
  { directoryName, publicUrl }: Pick<Config, 'directoryName' | 'publicUrl'>,
  { urls, firstKey, linkToken }: Listening,
): string {
  const lines = [`${directoryName} is listening: ${urls.join(' ')}`]
  if (firstKey !== undefined)
    lines.push(
      `A first API key, to register services until ${firstKey.expiresAt.slice(0, 10)}, shown this once only: ${firstKey.key}`,
      `The services are invented, in a database of their own. For real ones, run ${OWN_COMMAND} serve, and next to it: ${FILL}`,
    )
  if (linkToken !== undefined)
    lines.push(
      `The operator's room, by a link that works once, within 12 hours: ${publicUrl ?? toLocal(urls[0]!)}/operator?token=${linkToken}`,
    )
  return lines.join('\n')
}

/** The runtime reports an unresolvable host name as an unrelated error, such as a port in use. */
export async function assertHostsKnown({ hosts }: Address): Promise<void> {
  for (const host of hosts.filter(host => isIP(host) === 0)) {
    const found = await Bun.dns.lookup(host).catch(() => [])
    if (found.length === 0)
      throw new CommandFailed(
        `HOST is ${host}, and no address is known for that name; name an address of this machine, or 0.0.0.0 for all.`,
      )
  }
}

export function toStartFailure(error: unknown, { hosts, port }: Address): unknown {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return new CommandFailed(
      `Port ${port} is in use already. End what listens there, or choose another with --port.`,
    )
  }
  if (code === 'EACCES' && syscall === 'listen')
    return new CommandFailed(`Port ${port} may not be used here. Choose one above 1023 with --port.`)
  if (syscall === 'listen')
    return new CommandFailed(
      `This machine cannot listen on ${hosts.join(' and ')} (${code}); set HOST to an address that it has, or to 0.0.0.0 for all.`,
    )
  return error
}
