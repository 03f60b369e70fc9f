/** Looks for a domain's own word for the services on it: a file at a fixed path of the origin, or TXT records of the host. */
import { isIP } from 'node:net'
import { nameAmong, namesOfDocument, namesOfRecords, type ProofReading } from '../domain/domain-proof.ts'
import type { Entry } from '../domain/service.ts'
import type { Clock } from '../runtime/clock.ts'
import { HostBusy, type HostGate, type Patience } from './host-gate.ts'
import type { SafeFetch } from './safe-fetch.ts'
import type { ReadTxt } from './txt-records.ts'

/** Resolves to undefined where the host may not be asked now. */
export type ReadProof = (
  entry: Pick<Entry, 'id' | 'endpoint' | 'x402Config'>,
  patience: Patience,
) => Promise<ProofReading | undefined>

/** Whether the key of the address signed the message. */
export type IsSigned = (
  address: string,
  network: string,
  message: string,
  signature: string,
) => Promise<boolean>

/** What an origin and its host say. */
type Statement = {
  readonly file: readonly string[] | undefined
  /** Of the origin by wallets, as the manifest of x402 publishes them. */
  readonly signatures: readonly string[]
  readonly dns: readonly string[] | undefined
}

const FILE = '/.well-known/shirube.json'
const MANIFEST = '/.well-known/x402'
const MAX_FILE_BYTES = 64 * 1024
const MAX_SIGNATURES = 20
/** Many services of one origin are looked at after each other: it is asked once for all of them. */
const REMEMBERED_MS = 10 * 60_000
const MAX_REMEMBERED = 1_000
const PATIENCE_MS = 30_000

export function createProofReader({
  ask,
  readTxt,
  isSigned,
  userAgent,
  gate,
  clock,
}: {
  readonly ask: SafeFetch
  readonly readTxt: ReadTxt
  readonly isSigned: IsSigned
  readonly userAgent: string
  readonly gate: Pick<HostGate, 'enter'>
  readonly clock: Clock
}): ReadProof {
  const remembered = new Map<string, { readonly atMs: number; readonly said: Promise<Statement> }>()

  /** The document at that very place: what a redirect leads to is somebody else's, or anybody's. */
  async function readDocument(url: URL, { signal }: Patience): Promise<unknown> {
    const answer = await ask(url.href, {
      headers: { 'user-agent': userAgent, accept: 'application/json' },
      mayFollow: () => false,
      maxBodyBytes: MAX_FILE_BYTES,
      ...(signal && { signal }),
      enter: place => gate.enter(place, { patienceMs: PATIENCE_MS, signal }),
    })
    // A page that users can write is text or HTML; whoever serves JSON there means it.
    const isJson =
      answer.ok &&
      answer.status === 200 &&
      /^application\/(?:[\w.-]+\+)?json\b/i.test(answer.headers.get('content-type') ?? '')
    return isJson ? toJson(answer.body) : undefined
  }

  async function readDns(host: string): Promise<string[] | undefined> {
    if (isIP(host.replace(/^\[|\]$/g, '')) || !host.includes('.')) return undefined
    const records = await readTxt(`_shirube.${host}`)
    if (namesOfRecords(records) === undefined) return undefined
    // Where any name is answered alike, nobody has set this one.
    const anything = await readTxt(`_${crypto.randomUUID().slice(0, 13)}.${host}`)
    return namesOfRecords(records.filter(record => !anything.includes(record)))
  }

  async function readStatement(origin: URL, patience: Patience): Promise<Statement> {
    const [dns, file] = await Promise.all([
      readDns(origin.hostname.replace(/\.$/, '')),
      readDocument(new URL(FILE, origin), patience).then(namesOfDocument),
    ])
    const signatures =
      file || dns ? [] : signaturesOf(await readDocument(new URL(MANIFEST, origin), patience))
    return { file, dns, signatures }
  }

  function statementOf(origin: URL, patience: Patience): Promise<Statement> {
    const nowMs = clock.now().getTime()
    const known = remembered.get(origin.origin)
    if (known && Math.abs(nowMs - known.atMs) < REMEMBERED_MS) return known.said
    const said = readStatement(origin, patience)
    remembered.delete(origin.origin)
    remembered.set(origin.origin, { atMs: nowMs, said })
    said.catch(() => remembered.delete(origin.origin))
    for (const oldest of remembered.keys()) {
      if (remembered.size <= MAX_REMEMBERED) break
      remembered.delete(oldest)
    }
    return said
  }

  return async (entry, patience) => {
    const origin = URL.parse(entry.endpoint)
    if (!origin) return undefined
    try {
      const { file, dns, signatures } = await statementOf(origin, patience)
      const [inFile, inDns] = [file && nameAmong(file, entry), dns && nameAmong(dns, entry)]
      if (inFile) return { found: { by: 'well_known', names: inFile } }
      if (inDns) return { found: { by: 'dns', names: inDns } }
      const { paymentAddress, network } = entry.x402Config
      for (const signature of signatures)
        if (await isSigned(paymentAddress, network, origin.origin, signature))
          return { found: { by: 'well_known', names: 'wallet' } }
      return { missing: file || dns ? 'elsewhere' : 'nowhere' }
    } catch (error) {
      if (error instanceof HostBusy) return undefined
      throw error
    }
  }
}

const signaturesOf = (manifest: unknown): string[] => {
  const { ownershipProofs } = (manifest ?? {}) as { ownershipProofs?: unknown }
  return Array.isArray(ownershipProofs)
    ? ownershipProofs
        .slice(0, MAX_SIGNATURES)
        .filter(proof => typeof proof === 'string' && proof.length <= 200)
    : []
}

function toJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
