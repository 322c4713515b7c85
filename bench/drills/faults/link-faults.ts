// The faults of a network between two parts, the same for every link.
import type { Drill, Part } from '../drill.ts';
import type { Link } from '../link.ts';
import type { Stage } from '../stage.ts';

type LinkDrill = Pick<Drill, 'fault' | 'how' | 'begin' | 'alerts'>;
type Links = (stage: Stage) => readonly Link[];

const page =
  'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<!doctype html><title>Welcome</title>';
/** Longer than a check of HAProxy, shorter than a time-out. */
const flapMilliseconds = 2000;

export function linkFaults(part: Part, links: Links, more: Pick<Drill, 'alerts' | 'seconds'> = {}): Drill[] {
  const drills: LinkDrill[] = [
    { fault: 'refuses', how: 'connections are cut, new ones refused', begin: (stage) => refuse(links(stage)) },
    {
      fault: 'hangs',
      how: 'connections are accepted, bytes wait until the end of the fault',
      begin: (stage) => set(links(stage), 'hang'),
    },
    {
      fault: 'half-open',
      how: 'packets vanish; connections from before stay dead after the fault',
      begin: (stage) => set(links(stage), 'vanish'),
    },
    { fault: 'slow 30 s', how: 'every answer is 30 s late', begin: (stage) => set(links(stage), 'slow') },
    {
      fault: 'flaps',
      how: 'refuses for 2 s, works for 2 s, and so on',
      begin: (stage) => flap(links(stage)),
      // Who repeats a call may notice nothing.
      alerts: [],
    },
    {
      fault: 'wrong answer',
      how: 'another program answers on the port, with a web page',
      begin: (stage) => set(links(stage), { garbage: page }),
    },
  ];
  return drills.map((drill) => ({ ...more, ...drill, part }));
}

export async function refuse(links: readonly Link[]): Promise<() => Promise<void>> {
  await Promise.all(links.map((link) => link.refuse()));
  return async () => void (await Promise.all(links.map((link) => link.accept())));
}

export async function set(links: readonly Link[], state: Parameters<Link['set']>[0]): Promise<() => Promise<void>> {
  for (const link of links) link.set(state);
  return async () => {
    for (const link of links) link.set('open');
  };
}

async function flap(links: readonly Link[]): Promise<() => Promise<void>> {
  let mend: (() => Promise<void>) | undefined = await refuse(links);
  let turning: Promise<void> = Promise.resolve();
  const turn = async () => {
    if (mend === undefined) mend = await refuse(links);
    else {
      await mend();
      mend = undefined;
    }
  };
  const timer = setInterval(() => {
    turning = turning.then(turn);
  }, flapMilliseconds);
  return async () => {
    clearInterval(timer);
    await turning;
    await mend?.();
  };
}
