/** UTF-8 needs at most three bytes for a UTF-16 unit. */
export const MAX_BYTES_PER_UNIT = 3
