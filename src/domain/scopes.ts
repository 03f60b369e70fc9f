// What an API key may do; `admin` includes everything else.
export const SCOPES = ['register', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text)
