// A peer's side of the channel: it listens, reports its port, runs its tasks and ends with its parent.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type PeerSettings = Readonly<Record<string, string>>;
export type PeerMessage =
  | { readonly port: number }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly problem: string };

type Task = (input: string[]) => Promise<unknown>;

export function readSettings(): PeerSettings {
  return JSON.parse(process.argv[2] ?? '{}') as PeerSettings;
}

export function serve(server: Server, tasks: Readonly<Record<string, Task>> = {}): void {
  process.on('message', ({ id, task, input }: { id: number; task: string; input: string[] }) => {
    const doing = tasks[task]?.(input) ?? Promise.reject(new Error(`no task ${task}`));
    doing.then(
      (result) => say({ id, result }),
      (error: unknown) => say({ id, problem: String(error) }),
    );
  });
  process.once('disconnect', () => process.exit());
  server.listen(0, '127.0.0.1', () => say({ port: (server.address() as AddressInfo).port }));
}

function say(message: PeerMessage): void {
  process.send?.(message);
}
