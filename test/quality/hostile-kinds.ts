// The kinds of hostile listings, and the two ways to make them: for every judged query, or for every sample service.
import type { Service, ServiceDraft } from '../../src/domain/listing/service.ts'

/** What an attacker aims at: a question, its content words, and what an entry must be to pass its filters. */
export type Target = {
  readonly query: string
  readonly words: readonly string[]
  readonly constraints: Readonly<Record<string, string | boolean>>
  /** The services that answer it best. */
  readonly answers: readonly Service[]
}

export type Translation = { readonly of: string; readonly name: string; readonly description: string }

/** What attacks are made from. */
export type Material = {
  readonly targets: readonly Target[]
  readonly services: readonly Service[]
  readonly translations: readonly Translation[]
}

/** The text of a listing, and who it says is paid; the rest is as cheap and as wide as the target's filters want it. */
export type Text = Pick<ServiceDraft, 'name' | 'description'> &
  Partial<Pick<ServiceDraft, 'category' | 'endpoint'>> & { readonly wallet?: string }
export type Kind = (material: Material) => readonly (readonly [Target | undefined, Text])[]

/** At most so many code points, without a half of a pair. */
export const cut = (text: string, length: number): string => [...text].slice(0, length).join('').trim()

export const perTarget =
  (...texts: ((target: Target, index: number) => Text)[]): Kind =>
  ({ targets }) =>
    targets.flatMap((target, index) => texts.map(text => [target, text(target, index)] as const))
export const perService =
  (...texts: ((service: Service) => Text)[]): Kind =>
  ({ services }) =>
    services.flatMap(service => texts.map(text => [undefined, text(service)] as const))

export const wordsOf = ({ words, query }: Target): string => (words.length === 0 ? query : words.join(' '))
