// Describes who backs a service, for an agent to read before it pays.
import type { Backing, Marks } from '../domain/listing/backing.ts'
import { quote } from './untrusted-text.ts'

const SAMPLE = 'INVENTED SAMPLE: nobody offers this service'

export function toBackingLines({
  claimed,
  domain,
  representative,
  others,
  sample,
}: Omit<Backing, 'id'>): string[] {
  if (sample) return [`${SAMPLE}.`]
  return [
    claimed
      ? 'Claimed by its wallet: the listed payee has signed for this entry.'
      : 'The wallet that it pays has not claimed it.',
    domain
      ? `Domain proved: ${quote(domain.host)} names ${domain.names === 'wallet' ? 'the wallet that it pays' : 'its id'}.`
      : 'The domain of its endpoint has not proved it.',
    ...(representative
      ? [
          `Listed by a stranger: this endpoint is represented by ${quote(representative.id)}, ${quote(representative.name, 120)}.`,
        ]
      : []),
    ...others
      .filter(({ id }) => id !== representative?.id)
      .map(
        ({ id, name, shares, yields }) =>
          `Entry ${quote(id)} of another owner, ${quote(name, 120)}, has the same ${shares.join(' and ')}${yields ? '; it yields to this entry' : ''}.`,
      ),
  ]
}

/** The essentials in one line. */
export function toMarksText(marks: Marks | 'unread'): string {
  if (marks === 'unread') return 'WHO BACKS IT COULD NOT BE READ: call get_service before you pay'
  const { claimed, domain, stranger, namesake, sample } = marks
  if (sample) return SAMPLE
  const by = [...(claimed ? ['claimed by its wallet'] : []), ...(domain ? ['domain proved'] : [])]
  const who = by.length > 0 ? by.join(', ') : 'not claimed or proved by anyone'
  return [
    stranger ? 'LISTED BY A STRANGER: another entry represents this endpoint' : who,
    ...(namesake ? ['has the name of an entry of another owner'] : []),
  ].join(', ')
}
