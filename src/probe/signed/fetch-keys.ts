// Fetches published keys outside of a probe: through safe-fetch, without following redirects.

import type { ReadTxt } from '../documents/txt-records.ts'
import { parseJson } from '../probe-response.ts'
import type { SafeFetch } from '../requests/safe-fetch.ts'
import type { KeySource } from './key-source.ts'

const MAX_DOCUMENT_BYTES = 64 * 1024

export const createKeySource = (safeFetch: SafeFetch, readTxt?: ReadTxt): KeySource => ({
  async document(url) {
    const answer = await safeFetch(url, {
      headers: { accept: 'application/did+json, application/json' },
      mayFollow: () => false,
      maxBodyBytes: MAX_DOCUMENT_BYTES,
    })
    return answer.ok && answer.status === 200 ? parseJson(answer.body) : undefined
  },
  txt: async name => readTxt?.(name) ?? [],
})
