// Headers that list what a client accepts, each with a quality (RFC 9110, 12.4.2): `gzip;q=0.5, br`.

export type Accepted = {
  /** In lower case. */
  readonly name: string
  /** From 0, which is refused, to 1; what is no such number is refused too. */
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
  const given = parameters.find(parameter => parameter.startsWith('q='))
  if (given === undefined) return 1
  const quality = Number(given.slice(2))
  return quality >= 0 && quality <= 1 ? quality : 0
}
