// The terms that the endpoint of a service itself declares, and how to call it.
import { type CallQuery, toCall } from '../domain/call/call.ts'
import { DirectoryError } from '../domain/errors.ts'
import { isNeverProbed } from '../domain/hosts/endpoint.ts'
import { Encoded } from '../domain/json/encoded.ts'
import type { Entry } from '../domain/listing/service.ts'
import type { Rates } from '../domain/money/rates.ts'
import type { SeenTerms, TermsAnswer } from '../domain/terms/terms.ts'
import { toTermsAnswer } from '../domain/terms/terms-view.ts'
import { type Message, say } from '../messages/message.ts'
import type { Store, StoredEntry } from '../store/store.ts'

export interface TermsReads {
  /** As last seen. @throws DirectoryError `not_found`, `hidden`, `no_terms` */
  terms(id: string): Promise<Encoded<TermsAnswer>>
  /** A snippet that calls the service and pays, made from its terms. @throws DirectoryError `not_found`, `hidden`, `no_terms` */
  call(id: string, query: CallQuery): Promise<string>
}

export const createTerms = ({
  store,
  catalog,
  requireVisible,
}: {
  readonly store: Pick<Store, 'find' | 'terms'>
  readonly catalog: { readonly rates: Rates }
  /** @throws DirectoryError `not_found`, `hidden` */
  readonly requireVisible: (stored: StoredEntry | undefined, id: string) => StoredEntry
}): TermsReads => {
  async function read(id: string): Promise<{ entry: Entry; terms: SeenTerms }> {
    const [stored, terms] = await Promise.all([store.find(id), store.terms.of(id)])
    const { entry } = requireVisible(stored, id)
    if (!terms) throw new DirectoryError('no_terms', unseenReason(entry))
    return { entry, terms }
  }
  return {
    async terms(id) {
      const { entry, terms } = await read(id)
      return Encoded.of(toTermsAnswer(entry, terms, catalog.rates))
    },
    async call(id, query) {
      const { entry, terms } = await read(id)
      return toCall(entry, terms, query.for)
    },
  }
}

/** Waiting helps only where it is probed. */
const unseenReason = ({ sample, endpoint }: Entry): Message =>
  say(sample ? 'sample' : isNeverProbed(endpoint) ? 'host_reserved' : 'terms_never_seen')

/** Returns undefined if its terms were never seen. @throws DirectoryError `not_found`, `hidden` */
export async function findTerms(directory: TermsReads, id: string): Promise<TermsAnswer | undefined> {
  try {
    return (await directory.terms(id)).decode()
  } catch (error) {
    if (error instanceof DirectoryError && error.code === 'no_terms') return undefined
    throw error
  }
}
