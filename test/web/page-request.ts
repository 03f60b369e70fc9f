import type { PageRequest } from '../../src/web/page.ts'

/** What a visitor sends who has no wishes. */
export const pageRequest = (home: string, asked: Partial<PageRequest> & { readonly path: string }) =>
  ({
    id: '',
    parameters: {},
    acceptLanguage: null,
    cookies: {},
    from: '192.0.2.1',
    origin: home,
    publicUrl: undefined,
    home,
    document: {},
    ...asked,
  }) satisfies PageRequest
