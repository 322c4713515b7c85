// What a setting accepts and refuses, for the kinds of values that several settings share.
import type { Config } from '../../../src/config/config.ts';

/** Valid values with their results, and invalid values. */
export type SettingCase = {
  readonly good: Readonly<Record<string, unknown>>;
  readonly bad: readonly string[];
  readonly read: (config: Config) => unknown;
};

export const duration = (read: (config: Config) => unknown): SettingCase => ({
  good: { '1s': 1, '1000ms': 1, '90s': 90, '5m': 300, '2h': 7200, '1d': 86_400, ' 5m ': 300, '3650d': 315_360_000 },
  bad: ['0s', '999ms', '5', 'm', '1.5m', '-1m', '5 m', '5M', '1w', '3651d', '1h30m', 'off'],
  read,
});
export const count = (most: number, read: (config: Config) => unknown): SettingCase => ({
  good: { 1: 1, [String(most)]: most, ' 7 ': 7 },
  bad: ['0', String(most + 1), '-1', '1.5', '1e1', 'x', '0x1', 'off'],
  read,
});
export const rules = (read: (config: Config) => unknown): SettingCase => ({
  good: {
    '5/1h': [{ count: 5, windowSeconds: 3600 }],
    '5/1h,10/24h': [
      { count: 5, windowSeconds: 3600 },
      { count: 10, windowSeconds: 86_400 },
    ],
    off: [],
  },
  bad: ['5', '5/', '/1h', '0/1h', '5/1h,', '5/1', '5/500ms', '-5/1h', '5/1h;10/24h', '5/1h/1h', 'none', 'OFF'],
  read,
});
export const choice = (values: readonly string[], read: (config: Config) => unknown): SettingCase => ({
  good: Object.fromEntries(values.map((value) => [value, value])),
  bad: ['x', values[0]?.toUpperCase() ?? '', `${values[0]},${values[1]}`],
  read,
});
export const perDay = (read: (config: Config) => unknown): SettingCase => ({
  good: { 1: 1, 100000000: 100_000_000, off: 0 },
  bad: ['0', '-1', '1.5', 'x', '100000001'],
  read,
});

export const words = (text: string): string[] => text.split(' ');
