// A share that is reliable for the number of samples.

/**
 * The lower bound of Wilson's 95 % interval for a share: low for a few samples, near the observed share for many. It rises with every
 * good sample and falls with every other one.
 */
export function wilsonLowerBound(good: number, all: number): number {
  if (all === 0 || good === 0) return 0
  const z2 = 1.96 ** 2
  const share = good / all
  const spread = Math.sqrt((share * (1 - share) + z2 / (4 * all)) / all)
  return (share + z2 / (2 * all) - 1.96 * spread) / (1 + z2 / all)
}
