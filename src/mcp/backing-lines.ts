// Describes who backs a service, for an agent to read before it pays.
import type { Backing, Marks } from '../domain/backing.ts'
import { quote } from './untrusted-text.ts'

export function toBackingLines({ claimed, domain, speaker, others }: Omit<Backing, 'id'>): string[] {
  return [
    claimed
      ? 'Claimed by its wallet: who is paid has signed for this entry.'
      : 'The wallet that it pays has not claimed it.',
    domain
      ? `Domain proved: ${quote(domain.host)} names ${domain.names === 'wallet' ? 'the wallet that it pays' : 'its id'}.`
      : 'The domain of its endpoint does not speak for it.',
    ...(speaker
      ? [`Listed by a stranger: for this endpoint speaks ${quote(speaker.id)}, ${quote(speaker.name, 120)}.`]
      : []),
    ...others
      .filter(({ id }) => id !== speaker?.id)
      .map(
        ({ id, name, shares }) =>
          `Somebody else's entry ${quote(id)}, ${quote(name, 120)}, has the same ${shares.join(' and ')}.`,
      ),
  ]
}

/** The essentials in one line. */
export function toMarksText({ claimed, domain, stranger, namesake }: Marks): string {
  const by = [...(claimed ? ['claimed by its wallet'] : []), ...(domain ? ['domain proved'] : [])]
  const who = by.length > 0 ? by.join(', ') : 'nobody stands behind it'
  return [
    stranger ? 'LISTED BY A STRANGER: somebody else speaks for this endpoint' : who,
    ...(namesake ? ["has the name of somebody else's entry"] : []),
  ].join(', ')
}
