// Reads a domain's proof for the services on it: a file at a fixed path of the origin, or signatures in its x402 manifest.
import {
  declinesProbes,
  nameAmong,
  namesOfDocument,
  PROOF_FILE,
  type ProofReading,
} from '../../domain/hosts/domain-proof.ts'
import type { Entry } from '../../domain/listing/service.ts'
import type { Clock } from '../../runtime/clock.ts'
import { HostBusy, type HostGate, type Patience } from '../requests/host-gate.ts'
import type { SafeFetch } from '../requests/safe-fetch.ts'
import { parseJson } from '../untrusted.ts'

type Named = Pick<Entry, 'id' | 'endpoint' | 'x402Config'>

/** Resolves to undefined if the host is busy. Requested: by somebody who may just have published it. */
export type ReadProof = (
  entry: Named,
  patience: Patience,
  options?: { readonly isRequested?: boolean },
) => Promise<ProofReading | undefined>

/** Whether the key of the address signed the message. */
type IsSigned = (address: string, network: string, message: string, signature: string) => Promise<boolean>

/** The proofs published by an origin. */
type Statement = {
  readonly file: readonly string[] | undefined
  readonly declines: boolean
  /** Signatures of the origin by wallets, from the x402 manifest. */
  readonly signatures: readonly string[]
}

const MANIFEST = '/.well-known/x402'
const MAX_FILE_BYTES = 64 * 1024
const MAX_SIGNATURES = 20
/** The many services of one origin are checked one after the other, and share its proofs. */
const CACHE_TTL_MS = 10 * 60_000
const REQUESTED_TTL_MS = 20_000
const MAX_CACHED = 1_000
const PATIENCE_MS = 30_000

export function createProofReader({
  fetch: safeFetch,
  isSigned,
  userAgent,
  gate,
  clock,
}: {
  readonly fetch: SafeFetch
  readonly isSigned: IsSigned
  readonly userAgent: string
  readonly gate: Pick<HostGate, 'enter'>
  readonly clock: Clock
}): ReadProof {
  const cache = new Map<string, { readonly atMs: number; readonly statement: Promise<Statement> }>()

  /** Follows no redirect: its target may belong to someone else. */
  async function readDocument(url: URL, { signal }: Patience): Promise<unknown> {
    const answer = await safeFetch(url.href, {
      headers: { 'user-agent': userAgent, accept: 'application/json' },
      mayFollow: () => false,
      maxBodyBytes: MAX_FILE_BYTES,
      ...(signal && { signal }),
      enter: host => gate.enter(host, { patienceMs: PATIENCE_MS, signal }),
    })
    // Pages that users can edit are text or HTML; JSON is published on purpose.
    const isJson =
      answer.ok &&
      answer.status === 200 &&
      /^application\/(?:[\w.-]+\+)?json\b/i.test(answer.headers.get('content-type') ?? '')
    return isJson ? parseJson(answer.body) : undefined
  }

  async function readStatement(origin: URL, patience: Patience): Promise<Statement> {
    const document = await readDocument(new URL(PROOF_FILE, origin), patience)
    const file = namesOfDocument(document)
    const declines = declinesProbes(document)
    const signatures =
      file || declines ? [] : signaturesOf(await readDocument(new URL(MANIFEST, origin), patience))
    return { file, declines, signatures }
  }

  function statementOf(origin: URL, patience: Patience, ttlMs: number): Promise<Statement> {
    const nowMs = clock.now().getTime()
    const cached = cache.get(origin.origin)
    if (cached && Math.abs(nowMs - cached.atMs) < ttlMs) return cached.statement
    const statement = readStatement(origin, patience)
    cache.delete(origin.origin)
    cache.set(origin.origin, { atMs: nowMs, statement })
    statement.catch(() => cache.delete(origin.origin))
    for (const oldest of cache.keys()) {
      if (cache.size <= MAX_CACHED) break
      cache.delete(oldest)
    }
    return statement
  }

  async function toReading(entry: Named, { file, signatures }: Statement): Promise<ProofReading> {
    const inFile = file && nameAmong(file, entry)
    if (inFile) return { found: inFile }
    const { paymentAddress, network } = entry.x402Config
    const { origin = '' } = URL.parse(entry.endpoint) ?? {}
    for (const signature of signatures)
      if (await isSigned(paymentAddress, network, origin, signature)) return { found: 'wallet' }
    return { missing: file ? 'elsewhere' : 'nowhere' }
  }

  return async (entry, patience, { isRequested = false } = {}) => {
    const origin = URL.parse(entry.endpoint)
    if (!origin) return undefined
    try {
      const statement = await statementOf(origin, patience, isRequested ? REQUESTED_TTL_MS : CACHE_TTL_MS)
      const reading = await toReading(entry, statement)
      return statement.declines ? { ...reading, declinesProbes: true } : reading
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
