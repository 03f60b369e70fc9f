// The process that started this one and stands beside it, where it could not make room for it.
import { launcherPid } from '../app/config.ts'

/** A pipe that the launcher holds the other end of (`bin/bun.mjs`). */
const LAUNCHER_FD = 3

let watching: { read(): Promise<{ done: boolean }>; cancel(): Promise<void> } | undefined

/** Resolves when the launcher is gone, even if it was killed; never where there is none. */
export async function launcherGone(): Promise<void> {
  // The setting is inherited by all that this process starts, the pipe is not.
  const hasLauncher = launcherPid() === process.ppid
  if (hasLauncher) watching ??= Bun.file(LAUNCHER_FD).stream().getReader()
  while (watching) {
    const isGone = await watching.read().then(
      ({ done }) => done,
      () => true,
    )
    if (isGone && watching) return
  }
  await new Promise(() => {})
}

/** Who waits for it cannot end by itself. */
export function forgetLauncher(): void {
  const reader = watching
  watching = undefined
  void reader?.cancel()
}
