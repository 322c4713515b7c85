// The command `serve`: starts the service, in one process or in several.
import type { Command } from '../declarations.ts';
import { runWorkers } from './run-workers.ts';

export const serve: Command<'serve'> = async (context) => {
  await runWorkers(context.config());
  return 0;
};
