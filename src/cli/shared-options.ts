// Options that many commands have.
import type { Option } from './command.ts'

export const json: Option = { help: 'Print JSON instead of text for people.' }
export const url: Option = { value: '<address>', help: 'The directory to ask; SHIRUBE_URL unless given.' }
export const key: Option = { value: '<key>', help: 'The API key; SHIRUBE_KEY unless given.' }
