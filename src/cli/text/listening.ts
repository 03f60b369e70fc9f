// The text that a server prints at startup, or why it did not start.
import { isIP } from 'node:net'
import type { Config } from '../../app/config.ts'
import type { FirstKey } from '../../app/local.ts'
import { PACKAGE_ROOT } from '../../package/files.ts'
import { CommandFailed } from '../syntax/command.ts'

export type Listening = { readonly urls: readonly string[]; readonly firstKey?: FirstKey | undefined }

type Address = Pick<Config, 'hosts' | 'port'>

/** In a checkout, or from an installed package. */
export const toCommand = (root: string): string =>
  /[\\/]node_modules[\\/]/.test(root) ? 'npx shirube' : 'npm run -s shirube --'

/** One of the public lists; `README.md` names more, and what they contain. */
const PUBLIC_LIST = 'https://facilitator.payai.network/discovery/resources'
const FILL = `${toCommand(PACKAGE_ROOT)} sync ${PUBLIC_LIST} --every 6h`

export const EMPTY_TEXT = `The catalog is empty. To fill it with real services, run next to the server: ${FILL}`

export function listeningText(directoryName: string, { urls, firstKey }: Listening): string {
  const lines = [`${directoryName} is listening: ${urls.join(' ')}`]
  if (firstKey !== undefined)
    lines.push(
      `A first API key, to register services until ${firstKey.expiresAt.slice(0, 10)}, shown this once only: ${firstKey.key}`,
      `The services are invented. For real ones, start without --sample on a new database: ${FILL}`,
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
