// A process like the one that makes variants, where sharp is not installed.
import type { ResizerMessage } from '../../../src/adapters/variants/resizer-process.ts';

process.on('disconnect', () => process.exit());
const ready: ResizerMessage = { kind: 'ready', ability: undefined };
process.send?.(ready);
