// The scopes of an API key; `admin` includes all others.
export const SCOPES = ['register', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text)
