// Runs the process that makes variants, one at a time. It starts with the first order, and ends when it is idle, late, worn or broken.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Ability } from './resize-picture.ts';
import type { ResizerMessage, ResizerOrder } from './resizer-process.ts';

/** Why the process ended on a picture: too slow, too much memory, or anything else. */
export type ResizerLoss = 'time' | 'memory' | 'crash';

export type ResizerOutcome =
  | { readonly kind: 'made'; readonly bytes: Buffer }
  /** The picture cannot be read. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'lost'; readonly loss: ResizerLoss }
  /** Sharp is not installed. */
  | { readonly kind: 'absent' }
  | BrokenResizer
  /** The service stops. */
  | { readonly kind: 'unavailable' };

/** The process ends before it can do anything: its files are damaged, or they are for another machine. */
export type BrokenResizer = { readonly kind: 'broken'; readonly reason: string };

export type ResizerTimes = { readonly workMilliseconds: number; readonly idleMilliseconds: number };

type Resizer = {
  /** What works. Undefined if sharp is not installed. */
  probe(): Promise<Ability | BrokenResizer | undefined>;
  /** One order at a time. */
  resize(order: ResizerOrder): Promise<ResizerOutcome>;
  stop(): Promise<void>;
};

type Running = {
  readonly child: ChildProcess;
  readonly ready: Promise<Ability | undefined>;
  readonly ended: Promise<void>;
  isReady: boolean;
  loss: ResizerLoss;
  /** Why the process ended: a signal, an exit code, or why it could not start. */
  end: string;
  answer: (outcome: ResizerOutcome) => void;
};

const startMilliseconds = 20_000;

export function createResizer(entry: URL, { workMilliseconds, idleMilliseconds }: ResizerTimes): Resizer {
  let running: Running | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isStopped = false;

  function start(): Running {
    const child = fork(fileURLToPath(entry), [], {
      // It gets neither the secrets of the service nor its options. With few arenas the allocator keeps less memory.
      env: { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' },
      execArgv: ['--max-old-space-size=64'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const ready = Promise.withResolvers<Ability | undefined>();
    const ended = Promise.withResolvers<void>();
    const it: Running = {
      child,
      ready: ready.promise,
      ended: ended.promise,
      isReady: false,
      loss: 'crash',
      end: '',
      answer: () => undefined,
    };
    const finish = (end: string) => {
      it.end ||= end;
      if (running === it) running = undefined;
      ready.resolve(undefined);
      it.answer(it.isReady && !isStopped ? { kind: 'lost', loss: it.loss } : { kind: 'unavailable' });
      ended.resolve();
    };
    child.on('message', (message: ResizerMessage) => {
      switch (message.kind) {
        case 'ready':
          it.isReady = true;
          return ready.resolve(message.ability);
        case 'made':
          if (message.isWorn) retire(it);
          return it.answer({ kind: 'made', bytes: Buffer.from(message.bytes) });
        case 'failed':
          if (message.isWorn) retire(it);
          return it.answer({ kind: 'failed', reason: message.reason });
        case 'memory':
          it.loss = 'memory';
          return undefined;
      }
    });
    child.once('exit', (code, signal) => finish(signal ?? `exit code ${code}`));
    child.once('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
    running = it;
    return it;
  }

  /** The event loop waits for the process only while it works. */
  function hold(it: Running): void {
    clearTimeout(idle);
    it.child.ref();
    it.child.channel?.ref();
  }

  function rest(it: Running): void {
    it.child.unref();
    it.child.channel?.unref();
    idle = setTimeout(() => retire(it), idleMilliseconds).unref();
  }

  /** The next order must not go to a process that is about to end. */
  function retire(it: Running): void {
    if (running === it) running = undefined;
    it.child.kill('SIGKILL');
  }

  async function getReady(): Promise<{ it: Running; ability: Ability | undefined }> {
    const it = running ?? start();
    hold(it);
    const late = setTimeout(() => {
      it.end = `not ready after ${startMilliseconds} ms`;
      it.child.kill('SIGKILL');
    }, startMilliseconds);
    const ability = await it.ready.finally(() => clearTimeout(late));
    return { it, ability };
  }

  return {
    probe: async () => {
      const { it, ability } = await getReady();
      rest(it);
      return it.isReady ? ability : { kind: 'broken', reason: it.end };
    },
    resize: async (order) => {
      if (isStopped) return { kind: 'unavailable' };
      const { it, ability } = await getReady();
      if (ability === undefined) {
        rest(it);
        if (isStopped) return { kind: 'unavailable' };
        return it.isReady ? { kind: 'absent' } : { kind: 'broken', reason: it.end };
      }
      const { promise, resolve } = Promise.withResolvers<ResizerOutcome>();
      it.answer = resolve;
      const late = setTimeout(() => {
        it.loss = 'time';
        it.child.kill('SIGKILL');
      }, workMilliseconds);
      // An error here is followed by the end of the process.
      if (running === it) it.child.send(order, () => undefined);
      else resolve({ kind: 'unavailable' });
      return promise.finally(() => {
        clearTimeout(late);
        rest(it);
      });
    },
    stop: async () => {
      isStopped = true;
      if (running === undefined) return;
      const { child, ended } = running;
      hold(running);
      child.kill('SIGKILL');
      await ended;
    },
  };
}
