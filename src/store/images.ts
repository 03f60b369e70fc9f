// Images of the catalog that lie in the store, for nodes that have none of their own. They are only ever a shortcut and may
// vanish at any time; the store does not look inside.

/** What an image is of, as whoever wrote it has put it down. */
export type ShelvedLabel = Readonly<Record<string, string | number>>

export type ShelvedImage = {
  readonly id: string
  readonly label: ShelvedLabel
  /** Of the whole image before its parts were packed. */
  readonly bytes: number
  readonly parts: number
}

export interface ImageShelf {
  /** The newest whole one of this code, unless it holds writes that a failover has lost. */
  find(code: string): Promise<ShelvedImage | undefined>
  /** Parts count from 0. undefined: the image is gone, or another has taken its place. */
  read(id: string, part: number): Promise<Uint8Array | undefined>
  drop(id: string): Promise<void>
  /**
   * Begins a new one, which nobody finds before it is whole, and takes away what others have left unfinished. Resolves to
   * undefined where another process is just writing one.
   */
  begin(code: string): Promise<NewImage | undefined>
}

/** Disposing it takes it away unless it is whole. */
export interface NewImage extends AsyncDisposable {
  /** @throws where it was taken away meanwhile, as from one who has not been heard of for a minute */
  add(part: Uint8Array): Promise<void>
  /** From now on it is found, in the place of older ones of its code; those of other code stay, but for all but two. */
  finish(image: { readonly label: ShelvedLabel; readonly seq: number; readonly bytes: number }): Promise<void>
}
