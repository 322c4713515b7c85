// Measures the speed of an upload over the last seconds, so that the shown speed is current but does not jump.

type Speedometer = {
  /** Records how many bytes are sent by now, and returns the bytes per second. */
  at(sentBytes: number): number;
};

const windowMilliseconds = 3000;

export function createSpeedometer(now: () => number = () => performance.now()): Speedometer {
  // An upload that goes on after a break does not begin at 0.
  let marks: readonly { readonly time: number; readonly bytes: number }[] = [];
  return {
    at: (bytes) => {
      const time = now();
      marks = [...marks.filter((mark) => time - mark.time <= windowMilliseconds), { time, bytes }];
      const first = marks[0] ?? { time, bytes };
      return time > first.time ? ((bytes - first.bytes) * 1000) / (time - first.time) : 0;
    },
  };
}
