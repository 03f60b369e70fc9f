// The version of the project, as its package says.
import packageJson from '../../package.json' with { type: 'json' }

export const { version: VERSION, description: SUMMARY } = packageJson
