// Which content coding a client accepts (RFC 9110, 12.5.3). There are two: as it is, and gzip.

export type Coding = 'identity' | 'gzip'

/** Smaller bodies gain less than the header and the time cost. */
export const MIN_GZIP_LENGTH = 1024

export function chooseCoding(accepted: string | null): Coding {
  if (accepted === null || !/gzip|\*/i.test(accepted)) return 'identity'
  let gzip: number | undefined
  let any: number | undefined
  let identity: number | undefined
  for (const item of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map(part => part.trim())
    const quality = toQuality(parameters)
    if (name === 'gzip' || name === 'x-gzip') gzip = quality
    else if (name === 'identity') identity = quality
    else if (name === '*') any = quality
  }
  const wanted = gzip ?? any ?? 0
  return wanted > 0 && wanted >= (identity ?? 0) ? 'gzip' : 'identity'
}

function toQuality(parameters: readonly string[]): number {
  const given = parameters.find(parameter => parameter.startsWith('q='))
  if (given === undefined) return 1
  const quality = Number(given.slice(2))
  return quality >= 0 && quality <= 1 ? quality : 0
}
