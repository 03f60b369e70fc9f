// Watches the launcher, the process that started this one and stays alive next to it.
import { launcherPid } from '../app/config.ts'

/** A pipe to the launcher (`bin/bun.mjs`). */
const LAUNCHER_FD = 3

/** Calls back when the launcher ends, even if it was killed; never without one. Keeps the process alive until disposed. */
export function watchLauncher(onGone: () => void): Disposable {
  // The setting is inherited by child processes, the pipe is not.
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
