// `npm run example`: starts Gatehouse and the notebook, and ends both on Ctrl-C or SIGTERM.
import { join } from 'node:path';
import { stopWithParent } from '../../src/stop-with-parent.js';
import { installClient } from './start/install-client.ts';
import { keepServiceKey, keepWebhookSecret } from './start/keep-secrets.ts';
import { requireFreePorts } from './start/require-free-ports.ts';
import { endAll, type Program, start, waitUntilReady } from './start/run.ts';
import { data, example, gatehouseEnv, notesEnv, project, urls } from './start/settings.ts';
import { StartError } from './start/start-error.ts';

const programs: Program[] = [];
let isEnding = false;

stopWithParent();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(0));
try {
  await startAll();
} catch (error) {
  if (!isEnding) console.error(error instanceof StartError ? error.message : error);
  await end(1);
}

async function startAll(): Promise<void> {
  await requireFreePorts();
  await installClient();
  keepWebhookSecret();
  const gatehouse = startProgram('Gatehouse', join(project, 'src/gatehouse.js'), gatehouseEnv);
  await waitUntilReady(gatehouse, `${urls.gatehouse}/readyz`);
  await keepServiceKey();
  const notes = startProgram('The notebook', join(example, 'back-end/server.ts'), notesEnv);
  await waitUntilReady(notes, urls.notes);
  console.log(`
  Team notes    ${urls.notes}
  Inbox         ${urls.gatehouse}/inbox   (Gatehouse sends no SMS here: read the codes in it)
  Reference     ${urls.gatehouse}/docs

  Ctrl-C ends the example. Its data stay in ${data}
`);
}

/** Neither is of use without the other. */
function startProgram(name: string, file: string, env: Readonly<Record<string, string>>): Program {
  if (isEnding) throw new StartError('The example is ending.');
  const program = start({ name, args: [file], env });
  programs.push(program);
  void program.ended.then(() => {
    if (!isEnding) console.error(`${name} has ended.`);
    return end(1);
  });
  return program;
}

async function end(code: number): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await endAll(programs);
  process.exit(code);
}
