/**
 * How often both texts of a differential test are sent. A server whose responses vary by themselves, such as one that
 * picks one of two layouts at random, must not pass for one in which the text decides.
 */

/** Repeats of the baseline request. Only what is equal in the baseline and in its repeats is compared. */
export const REPLAYS = 2;

/** Differential tests of one scan, at most: 100 insertion points with 10 pairs of texts each. */
const TESTS = 1_000;

/** Chance of one false confirmation in a scan of a server whose responses vary at random, at most. */
const ACCEPTED_CHANCE = 1e-4;

/**
 * Chance, 0 to 1, that one examination confirms a weakness of a server that randomly returns one of two layouts for each
 * request; `share` is the first layout's. The baseline and its repeats must have one layout, as must the text that means
 * the same in each round, and the text that means something else the other.
 * @internal
 */
export function chanceByTwoLayouts(
  share: number,
  { rounds, replays }: { rounds: number; replays: number },
): number {
  const agreeing = 1 + replays + rounds;
  const rest = 1 - share;
  return share ** agreeing * rest ** rounds + rest ** agreeing * share ** rounds;
}

/** The fewest rounds by which no scan is likely to confirm anything at random, for any shares of the two layouts. @internal */
export function roundsFor({ tests, accepted }: { tests: number; accepted: number }): number {
  const shares = Array.from({ length: 99 }, (_, percent) => (percent + 1) / 100);
  // A failed examination is repeated from the start, and the second shares no response with the first.
  const chance = (rounds: number): number =>
    tests * Math.max(...shares.map((share) => chanceByTwoLayouts(share, { rounds, replays: REPLAYS }))) ** 2;
  let rounds = 1;
  while (chance(rounds) >= accepted) rounds++;
  return rounds;
}

/** Rounds of each examination; both texts are sent once in each. */
export const ROUNDS = roundsFor({ tests: TESTS, accepted: ACCEPTED_CHANCE });
