// The key a caller sends: `Authorization: Bearer <key>`, the scheme without regard to case (RFC 6750, RFC 9110).

import type { Keyring } from '../../directory/keys.ts'
import type { Preconditions } from '../../domain/entity-tag.ts'

export type KeyCheck = Pick<Keyring, 'authorize' | 'peek'>

export function bearerOf(authorization: string | null): string | undefined {
  if (authorization === null) return undefined
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1]
}

/** Resolves to the key that may register; the body is not touched. */
export async function authorizeToRegister(request: Request, keys: KeyCheck): Promise<string> {
  const key = bearerOf(request.headers.get('authorization'))
  await keys.authorize(key, 'register')
  return key!
}

/** The key, and what is asked of the state that it would change. */
export async function authorizeToChange(
  request: Request,
  keys: KeyCheck,
): Promise<{ readonly key: string } & Preconditions> {
  const key = await authorizeToRegister(request, keys)
  const ifMatch = request.headers.get('if-match') ?? undefined
  const ifNoneMatch = request.headers.get('if-none-match') ?? undefined
  return { key, ifMatch, ifNoneMatch }
}
