// Replaces tables.ts in the build of the client, which creates no other messages.
export { BASE as MESSAGES } from './base.ts'
export const WORD_LISTS = {}
