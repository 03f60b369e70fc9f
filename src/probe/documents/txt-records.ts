// Reads TXT records through the system's resolvers. A failed lookup counts as no records.
import { Resolver } from 'node:dns/promises'

/** Resolves to the texts of a name, with the strings of each record joined. */
export type ReadTxt = (name: string) => Promise<readonly string[]>

const TIMEOUT_MS = 2_000
const TRIES = 2
const MAX_RECORDS = 100
const MAX_RECORD_LENGTH = 4_096

/** @param servers addresses of resolvers instead of the system's */
export function createTxtReader(servers?: readonly string[]): ReadTxt {
  return async name => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
    if (servers) resolver.setServers([...servers])
    const records = await resolver.resolveTxt(name).catch(() => [])
    return records.slice(0, MAX_RECORDS).map(parts => parts.join('').slice(0, MAX_RECORD_LENGTH))
  }
}
