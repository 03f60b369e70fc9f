// Snapshots of the catalog that lie in the store, for nodes that have none of their own. They are only ever a shortcut and may
// vanish at any time; the store does not look inside.

/** What a snapshot is of, as whoever wrote it has put it down. */
export type StoredOrigin = Readonly<Record<string, string | number>>

export type StoredSnapshot = {
  readonly id: string
  readonly origin: StoredOrigin
  /** Of the whole snapshot before its parts were packed. */
  readonly bytes: number
  readonly parts: number
}

export interface SnapshotStore {
  /** The newest whole one of this code, unless it holds writes that a failover has lost. */
  find(code: string): Promise<StoredSnapshot | undefined>
  /** Parts count from 0. undefined: the snapshot is gone, or another has taken its place. */
  read(id: string, part: number): Promise<Uint8Array | undefined>
  drop(id: string): Promise<void>
  /**
   * Begins a new one, which nobody finds before it is whole, and takes away what others have left unfinished. Resolves to
   * undefined where another process is just writing one.
   */
  begin(code: string): Promise<NewSnapshot | undefined>
}

/** Disposing it takes it away unless it is whole. */
export interface NewSnapshot extends AsyncDisposable {
  /** @throws where it was taken away meanwhile, as from one who has not been heard of for a minute */
  add(part: Uint8Array): Promise<void>
  /** From now on it is found, in the place of older ones of its code; those of other code stay, but for all but two. */
  finish(snapshot: {
    readonly origin: StoredOrigin
    readonly seq: number
    readonly bytes: number
  }): Promise<void>
}
