// The version of the project, from its package.
import packageJson from '../../package.json' with { type: 'json' }

export const { version: VERSION, description: SUMMARY } = packageJson
