// Where pictures for link previews are, and their size: what a page says of them without drawing one.

/** What the large previewers ask for. */
export const PICTURE = { width: 1200, height: 630 } as const

export const HOME_PICTURE = '/picture.png'
export const pictureOf = (id: string): string => `/services/${id}/picture.png`
