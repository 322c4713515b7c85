// The command `serve`: starts the service, in one process or in several.
import type { Command } from '../declarations.ts';
import { findLanAddresses, toLan } from './lan.ts';
import { runWorkers } from './run-workers.ts';

export const serve: Command<'serve'> = async (context, { lan }) => {
  const config = context.config();
  const used = lan ? toLan(config, context.environment.env, findLanAddresses()) : config;
  await runWorkers(used, lan, context.tryConfig);
  return 0;
};
