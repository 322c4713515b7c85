// `npm run example -- NAME` starts an example together with a Gatehouse of its own. Without a name it lists the examples.
import { listExamples } from './start/list-examples.ts';

const [name, ...rest] = process.argv.slice(2);
const examples = listExamples();

if (name !== undefined && rest.length === 0 && examples.some((example) => example.name === name))
  await import(`./${name}/start.ts`);
else {
  const width = Math.max(...examples.map((example) => example.name.length));
  const lines = examples.map((example) => `  npm run example -- ${example.name.padEnd(width)}   ${example.title}`);
  const isAsked = name === undefined;
  const heading = isAsked ? 'The examples:' : `There is no example “${[name, ...rest].join(' ')}”. The examples:`;
  (isAsked ? console.log : console.error)(`${heading}\n\n${lines.join('\n')}`);
  process.exitCode = isAsked ? 0 : 1;
}
