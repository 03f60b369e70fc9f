// Paths and size of the pictures for link previews.

/** The size that Open Graph consumers recommend. */
export const PICTURE = { width: 1200, height: 630 } as const

export const HOME_PICTURE = '/picture.png'
export const pictureOf = (id: string): string => `/services/${id}/picture.png`
