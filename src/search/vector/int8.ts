// Scalar quantisation: a vector as one signed byte a dimension.

/** The codes of a vector, and one over their length, which turns a dot product of codes into a cosine. */
export type Int8Vector = { readonly codes: Int8Array; readonly inverseNorm: number }

const MAX_CODE = 127

/** Scales a vector so that its largest component uses the whole range of a signed byte; undefined for a vector of zeros. */
export function quantise(vector: Float32Array): Int8Vector | undefined {
  let peak = 0
  for (let d = 0; d < vector.length; d++) {
    const value = vector[d]!
    if (value > peak) peak = value
    else if (-value > peak) peak = -value
  }
  if (!(peak > 0)) return undefined
  const scale = MAX_CODE / peak
  const codes = new Int8Array(vector.length)
  for (let d = 0; d < vector.length; d++) {
    const value = vector[d]! * scale
    codes[d] = value < 0 ? value - 0.5 : value + 0.5
  }
  return fromCodes(codes)
}

/** Returns undefined when all codes are zero. */
export function fromCodes(codes: Int8Array): Int8Vector | undefined {
  let squares = 0
  for (let d = 0; d < codes.length; d++) squares += codes[d]! * codes[d]!
  return squares === 0 ? undefined : { codes, inverseNorm: Math.fround(1 / Math.sqrt(squares)) }
}
