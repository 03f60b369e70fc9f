// Where an entry came from, as it is told.
import { z } from 'zod'
import { OVERRIDABLE_PARTS } from './local-overrides.ts'
import type { Entry } from './service.ts'

export const provenanceSchema = z
  .object({
    id: z.string(),
    source: z
      .enum(['registered', 'imported', 'sample'])
      .describe('registered here, imported from elsewhere, or of the sample catalog'),
    sourceUrl: z
      .string()
      .nullable()
      .describe('Address of the directory, list or origin that it was read from; null where it was not'),
    firstSeen: z.string().meta({ format: 'date-time' }).describe('When it came here'),
    origin: z
      .object({
        key: z.string().describe('What tells it from all others there; at another Shirube its id'),
        seq: z.int().min(0).describe('The number there of the change that is reflected here; 0: it has none'),
        home: z.boolean().describe('Whether the source speaks for it itself, and has it from nobody else'),
        homeUrl: z
          .string()
          .nullable()
          .describe('Where it is at home, as the source tells; null where that is the source, or not told'),
      })
      .meta({ id: 'Origin' })
      .nullable()
      .describe('What it is at its source; null where nothing follows that source'),
    owned: z.boolean().describe('Whether a key or a wallet owns it here'),
    follows: z
      .boolean()
      .describe(
        'Whether changes at its source arrive here; what has an owner here is changed by nobody else',
      ),
    held: z
      .array(z.enum(OVERRIDABLE_PARTS))
      .describe('What an operator set here, and the source does not change any more'),
    contestedBy: z
      .array(z.string())
      .describe(
        'Sources that list another service under this id, as if it were their own; theirs has an id of its own here',
      ),
  })
  .meta({ id: 'Provenance', title: 'Where a service came from' })
export type ProvenanceRecord = Readonly<z.output<typeof provenanceSchema>>

export function toProvenance(entry: Entry): ProvenanceRecord {
  const { id, owner, provenance } = entry
  const { source, sourceUrl, firstSeen, origin } = provenance
  return {
    id,
    source,
    sourceUrl,
    firstSeen,
    origin: origin
      ? {
          key: origin.key,
          seq: origin.seq,
          home: origin.home ?? false,
          homeUrl: origin.homeUrl ?? null,
        }
      : null,
    owned: owner !== null,
    follows: isFollowed(entry),
    held: OVERRIDABLE_PARTS.filter(part => origin?.held?.includes(part)),
    contestedBy: [...(provenance.contestedBy ?? [])],
  }
}

/** Returns whether changes at its source arrive here. */
export const isFollowed = ({ owner, provenance }: Entry): boolean =>
  owner === null && provenance.origin !== undefined

/** What a change of the feed says about an entry that is listed as somebody else tells it; null where this directory speaks for it. */
export function toFollowed(entry: Entry): { followed: true; home?: string; key?: string } | null {
  const { id, provenance } = entry
  const { sourceUrl, origin } = provenance
  if (!isFollowed(entry) || !origin) return null
  const home = origin.home ? (sourceUrl ?? undefined) : origin.homeUrl
  if (home === undefined) return { followed: true }
  const key = origin.home ? origin.key : (origin.homeKey ?? id)
  return { followed: true, home, ...(key !== id && { key }) }
}
