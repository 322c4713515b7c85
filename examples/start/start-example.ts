// Starts Gatehouse and the app of an example, and ends both on Ctrl-C or SIGTERM.
import { join } from 'node:path';
import { stopWithParent } from '../../src/kernel/process/stop-with-parent.js';
import { type Place, placeOf, project } from './place.ts';
import { requireFreePorts } from './require-free-ports.ts';
import { endAll, type Program, start, type Wanted, waitUntilReady } from './run.ts';
import { StartError } from './start-error.ts';

type Example = {
  /** The folder. */
  readonly name: string;
  /** What the terminal calls the app. */
  readonly title: string;
  /** Before anything starts: for example, installs the client. */
  readonly prepare?: (place: Place) => Promise<void> | void;
  /** Settings of Gatehouse beyond those of every example. */
  readonly gatehouseEnv?: (place: Place) => Readonly<Record<string, string>>;
  /** The program of the app. Gatehouse runs by now, with the environment in `place.gatehouseEnv`. */
  readonly app: (place: Place) => Promise<Omit<Wanted, 'name'>> | Omit<Wanted, 'name'>;
};

export async function startExample(example: Example): Promise<void> {
  const { name, title } = example;
  const programs: Program[] = [];
  let isEnding = false;

  const end = async (code: number): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    await endAll(programs);
    process.exit(code);
  };
  /** Neither is of use without the other. */
  const begin = (wanted: Wanted): Program => {
    if (isEnding) throw new StartError('The example is ending.');
    const program = start(wanted);
    programs.push(program);
    void program.ended.then(() => {
      if (!isEnding) console.error(`${wanted.name} has ended.`);
      return end(1);
    });
    return program;
  };

  stopWithParent();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(0));
  try {
    const empty = placeOf(name);
    await requireFreePorts(empty);
    await example.prepare?.(empty);
    const env = { ...empty.gatehouseEnv, ...example.gatehouseEnv?.(empty) };
    const place = { ...empty, gatehouseEnv: env };
    const { data, urls } = place;
    const gatehouse = begin({ name: 'Gatehouse', args: [join(project, 'src/gatehouse.js')], cwd: data, env });
    await waitUntilReady(gatehouse, `${urls.gatehouse}/readyz`);
    const app = begin({ name: title, ...(await example.app(place)) });
    await waitUntilReady(app, urls.app);
    console.log(`
  ${title.padEnd(13)} ${urls.app}
  Inbox         ${urls.gatehouse}/inbox   (Gatehouse sends no SMS here: read the codes in it)
  Reference     ${urls.gatehouse}/docs

  Ctrl-C ends the example. Its data stay in ${data}
`);
  } catch (error) {
    if (!isEnding) console.error(error instanceof StartError ? error.message : error);
    await end(1);
  }
}
