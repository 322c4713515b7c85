// Limits how many events pass in each period of time.

export function createRateLimiter(most: number, milliseconds: number): (now: number) => boolean {
  let startedAt = Number.NEGATIVE_INFINITY;
  let count = 0;
  return (now) => {
    if (now < startedAt || now - startedAt >= milliseconds) {
      startedAt = now;
      count = 0;
    }
    count += 1;
    return count <= most;
  };
}
