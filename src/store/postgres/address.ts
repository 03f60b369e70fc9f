// Splits postgres://user:password@host:5432,other:5432/database?sslmode=require into the hosts and the rest, which the client gets.

import { DirectoryError } from '../../domain/errors.ts'
import { verbatim } from '../../messages/message.ts'

export type PostgresHost = {
  readonly host: string
  readonly port: number
  /** Path of a Unix socket; takes precedence over host and port. */
  readonly path?: string
}

export type PostgresAddress = {
  readonly hosts: readonly PostgresHost[]
  /** The same address with a placeholder for the hosts. */
  readonly client: string
}

const FORM = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#@]*)(\/[^?#]*)?(\?[^#]*)?$/i
const DEFAULT_PORT = 5432

/** @throws DirectoryError `store_unavailable`; the address may contain a password and is not repeated. */
export function readPostgresAddress(text: string): PostgresAddress {
  const [, scheme, user, hosts = '', database = '', query = ''] = FORM.exec(text) ?? []
  const list = hosts.split(',').map(readHost)
  if (scheme === undefined || !list.every(host => host !== undefined) || database.length < 2) {
    throw new DirectoryError(
      'store_unavailable',
      verbatim(
        'The database address cannot be read; write postgres://<user>:<password>@<host>:<port>/<database>.',
      ),
    )
  }
  const account = user === undefined ? '' : `${user}@`
  return { hosts: list, client: `postgres://${account}localhost${database}${query}` }
}

function readHost(text: string): PostgresHost | undefined {
  const [, host = '', port] = /^(\[[^\]]+\]|[^:]*)(?::(\d{1,5}))?$/.exec(text) ?? []
  if (text !== '' && host === '') return undefined
  const name = decodeURIComponent(host.replace(/^\[(.*)\]$/, '$1')) || 'localhost'
  const number = port === undefined ? DEFAULT_PORT : Number(port)
  return name.startsWith('/')
    ? { host: 'localhost', port: number, path: `${name}/.s.PGSQL.${number}` }
    : { host: name, port: number }
}
