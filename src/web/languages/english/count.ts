// A number of things, in English.

export const count = (number: string, one: string, many: string): string =>
  `${number} ${number === '1' ? one : many}`
