// Resources that a host can attach without a tool call: one service, and the categories.
import {
  type McpServer,
  ProtocolError,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import type { Directory } from '../directory/directory.ts'
import { DirectoryError } from '../domain/errors.ts'
import { NOTICE, toData } from './untrusted-text.ts'

const JSON_TYPE = 'application/json'

export function addResources(server: McpServer, directory: Directory): void {
  server.registerResource(
    'categories',
    'shirube://categories',
    {
      title: 'Categories',
      description: 'All categories with the number of services in each.',
      mimeType: JSON_TYPE,
    },
    uri => read(uri, async () => ({ categories: await directory.categories() })),
  )
  server.registerResource(
    'service',
    new ResourceTemplate('shirube://services/{id}', { list: undefined }),
    {
      title: 'A service',
      description: 'One service as listed, with what the directory measured about it.',
      mimeType: JSON_TYPE,
    },
    (uri, { id }) =>
      read(uri, async () => {
        // A repeated template variable is a list; an id is a string.
        const wanted = typeof id === 'string' ? id : ''
        const [service, status] = await Promise.all([directory.get(wanted), directory.status(wanted)])
        return { service: service.decode(), status: status.decode() }
      }),
  )
}

/** Resources can fail only with a protocol error. */
async function read(uri: URL, load: () => Promise<object>) {
  try {
    const text = JSON.stringify({ notice: NOTICE, ...toData(await load()) })
    return { contents: [{ uri: uri.href, mimeType: JSON_TYPE, text }] }
  } catch (error) {
    if (!(error instanceof DirectoryError))
      throw new ProtocolError(INTERNAL, 'Something went wrong in the directory.')
    throw error.code === 'not_found'
      ? new ResourceNotFoundError(uri.href, error.message)
      : new ProtocolError(INTERNAL, error.message)
  }
}

const INTERNAL = -32_603
