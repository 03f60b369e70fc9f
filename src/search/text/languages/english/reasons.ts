// Reasons in English.
import type { ReasonWords } from '../language.ts'

const within = (conditions: string): string => (conditions === '' ? '' : ` (${conditions})`)

export const ENGLISH_REASONS: ReasonWords = {
  statuses: { verified: 'verified', unverified: 'not verified', inactive: 'not answering now' },
  unapplied: {
    chain_as_subject: () => 'read as the subject, not as the chain to pay on',
    lowest_price: () => 'a lowest price cannot be asked for, only a highest',
    price_of_something_else: () =>
      'so much is hardly the price of one request, so it is read as part of the subject',
    unknown_category: name => `${name} is not a known category`,
    second_of_a_kind: () => 'only one of a kind can be applied',
    negated: () => 'this condition can be asked for, not left out',
    undecidable: () =>
      'listings do not say what a service works without, so this does not affect the results',
    no_rate: name => `no exchange rate for ${name} is set here, so only prices in ${name} are compared`,
    same_word: () => 'this is also a word of what is looked for, so no service is left out for it',
  },
  otherCurrencies: 'other currencies',
  matches: words => `Matches ${words.join(', ')}; `,
  meetsConditions: 'Meets the conditions; ',
  closeInMeaning: 'Close in meaning; ',
  weak: 'Distantly related; ',
  price: (price, currency, chain) => `${price} ${currency} on ${chain}`,
  between: '; ',
  freeRequests: count => `${count} free requests`,
  inCategory: label => `category ${label}`,
  demotion: {
    seller: 'ranked lower because its seller has another result',
    copy: 'ranked lower because another service has the same name or text',
    terms: 'ranked last because its endpoint asks for another wallet or network, or for more than is listed',
    delivery: 'ranked last because it was paid and did not deliver, several times in a row',
  },
  end: '.',
  gap: ' ',
  conditions: {
    below: sum => `under ${sum} a request`,
    atMost: sum => `at most ${sum} a request`,
    paidIn: currency => `paid in ${currency}`,
    on: chain => `on ${chain}`,
    inCategory: label => `in ${label}`,
    by: protocol => `paid by ${protocol}`,
    free: 'with free requests',
    excluded: name => `without ${name}`,
    wishes: {
      cheap: 'preferably cheap',
      reliable: 'preferably reliable',
      fast: 'preferably fast',
      free: 'preferably free',
    },
    join: conditions => conditions.join(', '),
  },
  noWord: 'No word in the query says what to look for.',
  nothing: (subject, conditions) =>
    `Nothing here fits ${subject.length === 0 ? 'the conditions' : subject.join(', ')}${within(conditions)}.`,
  onlyWeak: ' The results are only distantly related.',
  mentionedByNone: words => ` No service here mentions ${words.join(', ')}.`,
  fewMatched: (matched, words) => ` No result has more than ${matched} of the ${words} words.`,
  found(count, subject, matched, conditions) {
    const services = count === 1 ? '1 service' : `${count} services`
    if (matched.length > 0) return `${services} for ${matched.join(', ')}${within(conditions)}.`
    return subject.length === 0
      ? `${services} meet${count === 1 ? 's' : ''} the conditions${within(conditions)}.`
      : `${services} close in meaning${within(conditions)}.`
  },
}
