// How the bench writes its figures, wherever they stand.

/** A share of 1 in per cent; a dash where there is none. */
export function percent(share: number): string {
  return Number.isNaN(share) ? "–" : `${(share * 100).toFixed(1)} %`;
}

/** A difference of shares in percentage points, with its sign. */
export function points(difference: number): string {
  return `${difference < 0 ? "−" : "+"}${Math.abs(difference * 100).toFixed(1)}`;
}

/** A stretch of time for people. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
