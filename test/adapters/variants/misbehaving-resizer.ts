// A process like the one that makes variants, but it does what the path of the picture says, as a broken decoder would.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResizerMessage, ResizerOrder } from '../../../src/adapters/variants/resizer-process.ts';

const send = (message: ResizerMessage) => process.send?.(message);

process.on('disconnect', () => process.exit());
process.on('message', async ({ path, size }: ResizerOrder) => {
  switch (path) {
    case 'hang':
      return;
    case 'crash':
      return process.kill(process.pid, 'SIGSEGV');
    case 'exit':
      return process.exit(0);
    case 'memory':
      send({ kind: 'memory' });
      return process.exit(1);
    case 'damaged':
      return send({ kind: 'failed', reason: 'a bad picture', isWorn: false });
    case 'environment':
      return send({ kind: 'made', bytes: Buffer.from(JSON.stringify(process.env)), isWorn: false });
    case 'process':
      return send({ kind: 'made', bytes: Buffer.from(String(process.pid)), isWorn: false });
    case 'worn':
      return send({ kind: 'made', bytes: Buffer.from(String(process.pid)), isWorn: true });
    default:
      await sleep(Number(size));
      return send({ kind: 'made', bytes: Buffer.from(path), isWorn: false });
  }
});
send({ kind: 'ready', ability: { version: '0.0.0', reads: [] } });
