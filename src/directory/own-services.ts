// The services of the caller. The catalog has the candidates, the store has their owners.
import type { Catalog } from '../catalog/catalog.ts'
import { Encoded } from '../domain/json/encoded.ts'
import {
  type OwnService,
  type OwnServices,
  type OwnServicesQuery,
  toOwnService,
} from '../domain/listing/own-services.ts'
import type { Store } from '../store/store.ts'
import type { Keyring } from './keys.ts'

export interface OwnServicesReads {
  /** @throws DirectoryError `unauthorized`, `forbidden` */
  ownServices(query: OwnServicesQuery, by: { readonly key: string }): Promise<Encoded<OwnServices>>
}

export function createOwnServices({
  ready,
  store,
  keys,
}: {
  readonly ready: () => Pick<Catalog, 'ofOwner'>
  readonly store: Pick<Store, 'lookUp'>
  readonly keys: Pick<Keyring, 'authorize'>
}): OwnServicesReads {
  return {
    async ownServices({ limit, before }, { key }) {
      const caller = await keys.authorize(key, 'register')
      const address = caller.wallet?.slice(caller.wallet.indexOf(':') + 1)
      let ids = ready().ofOwner(caller.owner, address)
      if (before !== undefined) ids = ids.filter(id => id < before)
      const own: OwnService[] = []
      while (ids.length > 0 && own.length <= limit) {
        const [batch, rest] = [ids.slice(0, limit + 1), ids.slice(limit + 1)]
        const stored = await store.lookUp(batch)
        for (const id of batch) {
          const entry = stored.get(id)?.entry
          const service = entry && toOwnService(entry, caller)
          if (service) own.push(service)
        }
        ids = rest
      }
      const services = own.slice(0, limit)
      const next = own.length > limit ? services.at(-1)!.service.id : null
      return Encoded.of<OwnServices>({ services, next })
    },
  }
}
