export const FILES: readonly string[]
export function read(name: string): string
export function digestOf(texts: readonly string[]): string
export function digestOfSources(): string
