// Headers that list what a client accepts, each with a quality value (RFC 9110, 12.4.2): `gzip;q=0.5, br`.

export type Accepted = {
  /** In lower case. */
  readonly name: string
  /** From 0 (refused) to 1; an invalid number counts as 0. */
  readonly quality: number
}

export const readQualities = (header: string | null | undefined): Accepted[] =>
  (header ?? '')
    .toLowerCase()
    .split(',')
    .map(item => {
      const [name = '', ...parameters] = item.split(';').map(part => part.trim())
      return { name, quality: toQuality(parameters) }
    })

function toQuality(parameters: readonly string[]): number {
  const weight = parameters.find(parameter => parameter.startsWith('q='))
  if (weight === undefined) return 1
  const quality = Number(weight.slice(2))
  return quality >= 0 && quality <= 1 ? quality : 0
}
