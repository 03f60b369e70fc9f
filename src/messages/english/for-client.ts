// Replaces english.ts in the build of the client, which bundles no other messages.
export { BASE as ENGLISH } from './base.ts'
