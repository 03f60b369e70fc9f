// Snapshots of the catalog in the store, for nodes without a local one. They only speed up a start and may vanish at any time; their
// content is opaque to the store.

/** What a snapshot was made from, as stated by its writer. */
export type StoredOrigin = Readonly<Record<string, string | number>>

export type StoredSnapshot = {
  readonly id: string
  readonly origin: StoredOrigin
  /** Size of the whole snapshot before compression. */
  readonly bytes: number
  readonly parts: number
}

export interface SnapshotStore {
  /** The newest complete snapshot of this code version, unless it contains writes that a failover lost. */
  find(code: string): Promise<StoredSnapshot | undefined>
  /** Parts are numbered from 0. undefined if the snapshot was deleted or replaced. */
  read(id: string, part: number): Promise<Uint8Array | undefined>
  drop(id: string): Promise<void>
  /**
   * Begins a new snapshot, which `find` returns only once it is complete, and deletes unfinished ones. Resolves to undefined if
   * another process is writing one.
   */
  begin(code: string): Promise<NewSnapshot | undefined>
}

/** Disposing deletes it unless it is finished. */
export interface NewSnapshot extends AsyncDisposable {
  /** @throws if it was deleted meanwhile, as after a minute without a new part */
  add(part: Uint8Array): Promise<void>
  /** Makes it visible to `find` and deletes older ones of its code version; the newest of two other versions stay. */
  finish(snapshot: {
    readonly origin: StoredOrigin
    readonly seq: number
    readonly bytes: number
  }): Promise<void>
}
