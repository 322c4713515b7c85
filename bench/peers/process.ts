// Starts a peer in its own Node process and sends it tasks that prepare a workload.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { PeerMessage, PeerSettings } from './served.ts';

export type PeerProcess = {
  readonly url: string;
  /** Host and port, as in a Host header. */
  readonly host: string;
  readonly pid: number;
  /** The result of the task of that name. */
  run<Result>(task: string, input: unknown): Promise<Result>;
  stop(): Promise<void>;
};

/** Resolves when it listens. */
export async function startPeerProcess(file: string, settings: PeerSettings): Promise<PeerProcess> {
  const child = spawn(process.execPath, [new URL(file, import.meta.url).pathname, JSON.stringify(settings)], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit');
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let count = 0;
  const port = await new Promise<number>((resolve, reject) => {
    child.once('close', (code) => {
      const error = new Error(`${file} ended with ${code}: ${complaints}`);
      reject(error);
      for (const one of waiting.values()) one.reject(error);
      if (code !== null) console.error(error.message);
    });
    child.on('message', (message: PeerMessage) => {
      if ('port' in message) return resolve(message.port);
      const one = waiting.get(message.id);
      waiting.delete(message.id);
      if ('problem' in message) one?.reject(new Error(message.problem));
      else one?.resolve(message.result);
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    run: <Result>(task: string, input: unknown) =>
      new Promise<Result>((resolve, reject) => {
        const id = ++count;
        waiting.set(id, { resolve: (result) => resolve(result as Result), reject });
        child.send({ id, task, input });
      }),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
