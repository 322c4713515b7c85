// Lets so many through in each span of time, and no more.

export function createTrickle(most: number, milliseconds: number): (now: number) => boolean {
  let begun = Number.NEGATIVE_INFINITY;
  let count = 0;
  return (now) => {
    if (now < begun || now - begun >= milliseconds) {
      begun = now;
      count = 0;
    }
    count += 1;
    return count <= most;
  };
}
