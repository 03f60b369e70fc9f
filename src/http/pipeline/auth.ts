// Reads the API key: `Authorization: Bearer <key>`, with a case-insensitive scheme (RFC 6750, RFC 9110).

import type { Keyring } from '../../directory/keys.ts'
import type { Preconditions } from '../../domain/entity-tag.ts'

export type KeyCheck = Pick<Keyring, 'authorize' | 'peek'>

export function bearerOf(authorization: string | null): string | undefined {
  if (authorization === null) return undefined
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1]
}

/** Resolves to a key that may register, without reading the body. */
export async function authorizeToRegister(request: Request, keys: KeyCheck): Promise<string> {
  const key = bearerOf(request.headers.get('authorization'))
  await keys.authorize(key, 'register')
  return key!
}

/** The key, and the preconditions of a change. */
export async function authorizeToChange(
  request: Request,
  keys: KeyCheck,
): Promise<{ readonly key: string } & Preconditions> {
  const key = await authorizeToRegister(request, keys)
  const ifMatch = request.headers.get('if-match') ?? undefined
  const ifNoneMatch = request.headers.get('if-none-match') ?? undefined
  return { key, ifMatch, ifNoneMatch }
}
