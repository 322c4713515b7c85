// The command `serve`: starts the service, in one process or in several.
import type { Command } from '../declarations.ts';
import { readEnvironment } from '../load-config.ts';
import { findLanAddresses, toLan } from './lan.ts';
import { runWorkers } from './run-workers.ts';

export const serve: Command<'serve'> = async (context, { lan }) => {
  const config = context.config();
  await runWorkers(lan ? toLan(config, readEnvironment().env, findLanAddresses()) : config, lan);
  return 0;
};
