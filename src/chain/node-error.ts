// What went wrong at a node, sorted by what helps against it.

/** refused: a smaller range may pass; slow: that and waiting; away: waiting alone. */
export type NodeTrouble = 'refused' | 'slow' | 'away'

export class NodeError extends Error {
  override readonly name = 'NodeError'

  constructor(
    readonly trouble: NodeTrouble,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
