/** Resident memory of one process. */
export interface Series {
  readonly process: string;
  readonly samples: readonly MemorySample[];
}

export interface MemorySample {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly mib: number;
}

/** How memory developed in the last third of a run. */
export interface MemoryTrend {
  readonly meanMib: number;
  /** Of the least-squares line. */
  readonly mibPerHour: number;
  /** Of that line, from the first sample to the last. */
  readonly growthMib: number;
  /** The growth that counts as noise. */
  readonly noiseMib: number;
  readonly isFlat: boolean;
}

/** With fewer samples, a trend means nothing. */
const MIN_SAMPLES = 20;
/** A process that moves by less than this share of its memory is flat. */
const NOISE_SHARE = 0.05;

/**
 * The trend of the last third of a run that took from `from` to `to`: flat if the line through the samples rises by no more than twice
 * their standard deviation around it, or 5 % of their mean. Undefined for a process that did not run all that time.
 */
export function trendOfLastThird(
  samples: readonly MemorySample[],
  { from, to }: { readonly from: number; readonly to: number },
): MemoryTrend | undefined {
  const start = to - (to - from) / 3;
  const last = samples.filter(({ at }) => at >= start && at <= to);
  if (last.length < MIN_SAMPLES || samples[0]!.at > start) return undefined;
  const at = mean(last.map((sample) => sample.at));
  const meanMib = mean(last.map(({ mib }) => mib));
  const slope =
    sum(last.map((sample) => (sample.at - at) * (sample.mib - meanMib))) /
    sum(last.map((sample) => (sample.at - at) ** 2));
  const residuals = last.map((sample) => sample.mib - meanMib - slope * (sample.at - at));
  const growthMib = slope * (last.at(-1)!.at - last[0]!.at);
  const noiseMib = Math.max(2 * Math.sqrt(mean(residuals.map((each) => each ** 2))), NOISE_SHARE * meanMib);
  return { meanMib, mibPerHour: slope * 3_600_000, growthMib, noiseMib, isFlat: growthMib <= noiseMib };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
