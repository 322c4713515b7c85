// Measures how fast an upload goes: over the last seconds, so that it follows the line and does not jump.

export type Speedometer = {
  /** Bytes per second, when so many bytes are sent by now. */
  at(sentBytes: number): number;
};

const windowMilliseconds = 3000;

export function createSpeedometer(now: () => number = () => performance.now()): Speedometer {
  let marks = [{ time: now(), bytes: 0 }];
  return {
    at: (bytes) => {
      const time = now();
      marks = [...marks.filter((mark) => time - mark.time <= windowMilliseconds), { time, bytes }];
      const first = marks[0] ?? { time, bytes };
      return time > first.time ? ((bytes - first.bytes) * 1000) / (time - first.time) : 0;
    },
  };
}
