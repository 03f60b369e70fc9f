// Messages between the probing thread and the serving thread.

import type { ProbeCounts, ProbingState } from '../../domain/standing/probes.ts'
import type { Config } from '../config.ts'

export type ProbingSettings = Pick<
  Config,
  'databaseUrl' | 'allowPrivateEndpoints' | 'publicUrl' | 'assetsFile' | 'rates'
>

export const toProbingSettings = ({
  databaseUrl,
  allowPrivateEndpoints,
  publicUrl,
  assetsFile,
  rates,
}: Config): ProbingSettings => ({
  databaseUrl,
  allowPrivateEndpoints,
  publicUrl,
  assetsFile,
  rates,
})

export type ToThread =
  | { readonly type: 'begin'; readonly settings: ProbingSettings }
  | { readonly type: 'end' }

export type FromThread =
  | { readonly type: 'counted'; readonly outcomes: ProbeCounts; readonly state: ProbingState }
  | { readonly type: 'trouble'; readonly message: string; readonly error: unknown }
  | { readonly type: 'ended' }
