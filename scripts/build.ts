// Builds the program and the web pages ahead of the first start, for a place that can neither bundle nor write, such as an image.
import { loadPages } from '../src/adapters/pages/load-pages.ts';
import { findProgram } from '../src/find-program.js';

const program = await findProgram();
await loadPages();
if (!program.endsWith('.js')) {
  console.error(
    'The program could not be bundled, so it will start from its sources. Can node_modules/.cache be written?',
  );
  process.exitCode = 1;
}
