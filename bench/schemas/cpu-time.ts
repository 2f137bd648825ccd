// Milliseconds of work on a machine that is shared: the smaller of wall time and the process's CPU time. Each of the two is
// an upper bound of what the measured code itself took, the first because of other processes, the second because of the
// process's own helper threads. (CPU time of one thread is counted by scheduler ticks, too coarse for microseconds.)

/** Starts a watch; the function says how many milliseconds have passed since. */
export function startWatch(): () => number {
  const wall = performance.now();
  const cpu = process.cpuUsage();
  return () => {
    const wallTime = performance.now() - wall;
    const { user, system } = process.cpuUsage(cpu);
    return Math.min(wallTime, (user + system) / 1000);
  };
}
