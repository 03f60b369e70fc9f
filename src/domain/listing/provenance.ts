// Where an entry came from, as responses have it.
import { z } from 'zod'
import { OVERRIDABLE_PARTS } from './edit.ts'
import type { Entry } from './service.ts'

export const provenanceSchema = z
  .object({
    id: z.string().describe('Id of the service'),
    source: z
      .enum(['registered', 'imported', 'sample'])
      .describe('registered here, imported from elsewhere, or part of the sample catalog'),
    sourceUrl: z
      .string()
      .nullable()
      .describe('Address of the directory, list or origin that it was read from; null if it was not'),
    firstSeen: z.string().meta({ format: 'date-time' }).describe('When it was added here'),
    origin: z
      .object({
        key: z.string().describe('Its key at the source; at another Shirube its id'),
        seq: z.int().min(0).describe('Number at the source of the last change applied here; 0: it has none'),
      })
      .meta({ id: 'Origin', title: 'Where an entry comes from' })
      .nullable()
      .describe('Its record at the source; null if the source is not followed'),
    owned: z.boolean().describe('Whether a key or a wallet owns it here'),
    follows: z
      .boolean()
      .describe(
        'Whether changes at its source are applied here; an entry with an owner here is changed only by its owner',
      ),
    overrides: z
      .array(z.enum(OVERRIDABLE_PARTS))
      .describe('Parts that an operator set here, which the source no longer changes'),
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
    origin: origin ? { key: origin.key, seq: origin.seq } : null,
    owned: owner !== null,
    follows: isFollowed(entry),
    overrides: OVERRIDABLE_PARTS.filter(part => origin?.held?.includes(part)),
  }
}

/** Returns whether changes at its source are applied here. */
export const isFollowed = ({ owner, provenance }: Entry): boolean =>
  owner === null && provenance.origin !== undefined

/** The fields of a feed change about an entry that follows a source; null if this directory is its home. */
export function toFollowed(entry: Entry): { followed: true; home?: string } | null {
  const { sourceUrl, origin } = entry.provenance
  if (!isFollowed(entry) || !origin) return null
  return { followed: true, ...(origin.home && sourceUrl !== null && { home: sourceUrl }) }
}
