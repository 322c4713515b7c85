// Counts mutants: how many a test notices, by room and by file.
import type { MutantResult } from '@stryker-mutator/api/core';
import { isDetected, isSurvivor } from './survivors.ts';

export type Score = {
  name: string;
  mutants: number;
  killed: number;
  /** Endless loops, and those that take all memory. */
  timedOut: number;
  survived: number;
  uncovered: number;
  /** Not counted: the process broke, so nothing is known. */
  broken: number;
  percent: number;
};

export function countScore(name: string, results: readonly MutantResult[]): Score {
  const count = (status: MutantResult['status']) => results.filter((result) => result.status === status).length;
  const detected = results.filter(isDetected).length;
  const mutants = detected + results.filter(isSurvivor).length;
  return {
    name,
    mutants,
    killed: count('Killed'),
    timedOut: count('Timeout'),
    survived: count('Survived'),
    uncovered: count('NoCoverage'),
    broken: results.length - mutants,
    percent: mutants === 0 ? 100 : (100 * detected) / mutants,
  };
}

/** Rounded down: 84.99 is not 85. */
export const showPercent = (percent: number): string => `${(Math.floor(percent * 10) / 10).toFixed(1)} %`;
