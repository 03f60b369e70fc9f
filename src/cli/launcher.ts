// The process that started this one and stands beside it, where it could not make room for it.
import { launcherPid } from '../app/config.ts'

/** A pipe that the launcher holds the other end of (`bin/bun.mjs`). */
const LAUNCHER_FD = 3

/**
 * Calls back when the launcher is gone, even if it was killed; never where there is none. Until it is disposed of, the process
 * cannot end by itself.
 */
export function watchLauncher(onGone: () => void): Disposable {
  // The setting is inherited by all that this process starts, the pipe is not.
  const hasLauncher = launcherPid() === process.ppid
  const reader = hasLauncher ? Bun.file(LAUNCHER_FD).stream().getReader() : undefined
  let isWatching = reader !== undefined
  const watch = async () => {
    while (isWatching) {
      const isGone = await reader!.read().then(
        ({ done }) => done,
        () => true,
      )
      if (!isGone) continue
      if (isWatching) onGone()
      return
    }
  }
  void watch()
  return {
    [Symbol.dispose]() {
      isWatching = false
      void reader?.cancel()
    },
  }
}
