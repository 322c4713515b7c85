// Processor time and memory of a peer, over all its threads and processes. Only Linux reports them for another process.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Linux counts processor time in these. */
const ticksPerSecond = 100;
const microsecondsPerTick = 1e6 / ticksPerSecond;

export type Memory = {
  /** What the processes have allocated and use alone. */
  readonly anonymousMebibytes: number;
  /** With the pages of files, such as those of Node's binary, counted for each process. */
  readonly residentMebibytes: number;
};

/** Microseconds of processor time, by what a thread does. */
export type ThreadTimes = Readonly<Record<string, number>>;

/** The processes and all their descendants. */
export function familyOf(pids: readonly number[]): number[] {
  const family = new Set(pids);
  const parents = new Map(allProcesses().map((pid) => [pid, Number(statOf(`/proc/${pid}`)?.fields[1])]));
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const [pid, parent] of parents) if (family.has(parent)) family.add(pid);
  }
  return [...family];
}

function allProcesses(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Of all threads and descendants, those that have ended included. Not a number where the system does not say. */
export function processorMicroseconds(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of familyOf(pids)) {
    const fields = statOf(`/proc/${pid}`)?.fields;
    if (fields !== undefined) for (const index of [11, 12, 13, 14]) ticks += Number(fields[index]);
    else if (pids.includes(pid)) return Number.NaN;
  }
  return ticks * microsecondsPerTick;
}

/** `names` is the folder in which the threads of a service have left what they are, by their number (name-threads.js). */
export function readThreads(pids: readonly number[], names?: string): Map<number, { kind: string; time: number }> {
  const threads = new Map<number, { kind: string; time: number }>();
  for (const pid of familyOf(pids)) {
    for (const thread of listThreads(pid)) {
      const stat = statOf(`/proc/${pid}/task/${thread}`);
      if (stat === undefined) continue;
      const kind = kindOf(thread, stat.name, thread === pid, names);
      const time = (Number(stat.fields[11]) + Number(stat.fields[12])) * microsecondsPerTick;
      threads.set(thread, { kind, time });
    }
  }
  return threads;
}

function listThreads(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}

function kindOf(thread: number, name: string, isMain: boolean, names: string | undefined): string {
  if (isMain) return 'main';
  if (/V8Worker|DelayedTask/.test(name)) return 'V8';
  if (name.startsWith('libuv')) return 'libuv';
  if (names === undefined) return 'other';
  try {
    const entry = basename(readFileSync(join(names, String(thread)), 'utf8'));
    if (entry.startsWith('sqlite')) return 'store';
    return entry.startsWith('delivery') ? 'delivery' : 'files';
  } catch {
    return 'other';
  }
}

/** The name of a process or thread, and its figures after the name. */
function statOf(folder: string): { name: string; fields: string[] } | undefined {
  try {
    const text = readFileSync(`${folder}/stat`, 'utf8');
    // The name comes first, in brackets, and may contain spaces and brackets.
    const end = text.lastIndexOf(')');
    return { name: text.slice(text.indexOf('(') + 1, end), fields: text.slice(end + 2).split(' ') };
  } catch {
    return undefined;
  }
}

export function memoryOf(pids: readonly number[]): Memory {
  let [anonymous, resident] = [0, 0];
  for (const pid of familyOf(pids)) {
    anonymous += statusKibibytes(pid, 'RssAnon');
    resident += statusKibibytes(pid, 'VmRSS');
  }
  return { anonymousMebibytes: Math.round(anonymous / 1024), residentMebibytes: Math.round(resident / 1024) };
}

function statusKibibytes(pid: number, name: 'RssAnon' | 'VmRSS'): number {
  try {
    return Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return Number.NaN;
  }
}
