// The steady load of a drill: newcomers by code and by link, and residents who renew their session and use files.
import { setTimeout as sleep } from 'node:timers/promises';
import { readFile, renew, signInByCode, signInByLink, storeFile, type World } from './journeys.ts';
import type { Session } from './ledger.ts';

type Load = {
  /** No new step begins. Resolves when everybody has an answer or has given up. Throws if the load itself failed. */
  stop(): Promise<void>;
};

const rates = { codeEveryMilliseconds: 500, linkEveryMilliseconds: 1500, residents: 8 };

export function startLoad(world: World): Load {
  let isOver = false;
  const running = new Set<Promise<unknown>>();
  const timers = [
    [rates.codeEveryMilliseconds, signInByCode] as const,
    [rates.linkEveryMilliseconds, signInByLink] as const,
  ].map(([every, journey]) => setInterval(() => track(journey(world)), every));
  const failures: unknown[] = [];
  const track = (work: Promise<unknown>) => {
    const noted = work.catch((error: unknown) => failures.push(error)).finally(() => running.delete(noted));
    running.add(noted);
  };
  /** An app that stays open repeats a step for as long as any fault lasts. */
  const goesOn = () => !isOver;

  const live = async () => {
    let session: Session | undefined;
    for (let turn = 0; !isOver; turn++) {
      session = session === undefined || session.isEnded ? await signInByCode(world) : session;
      if (session === undefined) continue;
      await renew(world, session, goesOn);
      if (turn % 3 === 0) await storeFile(world, session, goesOn);
      const own = world.ledger.files.findLast((file) => file.session === session);
      if (turn % 3 === 1 && own !== undefined) await readFile(world, own, goesOn);
      await sleep(700 + Math.random() * 600);
    }
  };
  for (let count = 0; count < rates.residents; count++) track(live());
  return {
    stop: async () => {
      isOver = true;
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running);
      if (failures.length > 0) throw failures[0];
    },
  };
}
