// In the place of english.ts where the client is built: it carries the words of no other message.
export { BASE as ENGLISH } from './base.ts'
