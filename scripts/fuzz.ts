// Searches for inputs that break a promise of a parser, a prover or a stripper, guided by the branches that inputs reach.
// npm run fuzz -- [TARGET…] [--seconds=60] [--seed=1] [--keep]: a search; --keep adds what it reached to the kept corpus.
// npm run fuzz -- TARGET FILE…: runs the files of an earlier finding again.
// npm run fuzz -- --faults: plants known faults and shows how soon each is found.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { execute } from '../test/fuzz/engine/execute.ts';
import { type Finding, fuzz } from '../test/fuzz/engine/fuzz.ts';
import type { FuzzTarget } from '../test/fuzz/engine/target.ts';
import { readCorpus, readFound, writeCorpus } from '../test/fuzz/kept-inputs.ts';
import { instrumentTarget, readTargets } from '../test/fuzz/load-target.ts';
import { knownFaults } from '../test/fuzz/planted-faults.ts';
import { seekFault } from '../test/fuzz/seek-fault.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
    faults: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const findingsFolder = 'fuzz-findings';

const all = await readTargets();
const files = positionals.filter((argument) => existsSync(argument));
const names = positionals.filter((argument) => !files.includes(argument));
const unknown = names.filter((name) => !all.some((target) => target.name === name));
const chosen = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));

if (unknown.length > 0) {
  console.error(`No target ${unknown.join(', ')}. Choose one of: ${all.map(({ name }) => name).join(', ')}`);
  process.exitCode = 2;
} else if (values.faults) await seekAll();
else if (files.length > 0) for (const target of chosen) await replay(target);
else await searchAll();

async function searchAll(): Promise<void> {
  console.log(
    '| target | inputs run | a second | accepted | branches | kept inputs | found |\n|---|---|---|---|---|---|---|',
  );
  for (const { name } of chosen) await search(name);
}

async function search(name: string): Promise<void> {
  const { target, literals } = await instrumentTarget(name);
  const found = readFound().filter((each) => each.target === name);
  const inputs = [...readCorpus(name), ...found.map(({ input }) => input), ...(await target.seeds())];
  const report = await fuzz(target, {
    seed,
    inputs,
    literals,
    mostExecutions: Number.POSITIVE_INFINITY,
    mostSeconds: Number(values.seconds),
  });
  const share = Math.round((100 * report.accepted) / report.executions);
  const rate = Math.round(report.executions / report.seconds);
  console.log(
    `| ${name} | ${report.executions} | ${rate} | ${share} % | ${report.branches} | ${report.corpus.length} | ${report.findings.length} |`,
  );
  if (values.keep) writeCorpus(name, report.corpus);
  for (const finding of report.findings) save(name, finding);
}

function save(target: string, { signature, error, input, executions, seconds }: Finding): void {
  mkdirSync(findingsFolder, { recursive: true });
  const path = `${findingsFolder}/${target}.${createHash('sha256').update(input).digest('hex').slice(0, 12)}`;
  writeFileSync(path, input);
  console.error(
    `${signature}\n  after ${executions} inputs, ${seconds.toFixed(1)} s: npm run fuzz -- ${target} ${path}`,
  );
  console.error(error.stack);
  process.exitCode = 1;
}

async function replay({ name }: FuzzTarget): Promise<void> {
  const { target } = await instrumentTarget(name);
  for (const file of files) {
    const outcome = await execute(target, readFileSync(file));
    console.log(`${name} ${file}: ${outcome.verdict}`);
    if (outcome.verdict !== 'broken') continue;
    console.error(outcome.error);
    process.exitCode = 1;
  }
}

async function seekAll(): Promise<void> {
  console.log('| planted fault | target | found after | without guidance |\n|---|---|---|---|');
  for (const fault of knownFaults) {
    const [guided, blind] = [
      await seekFault(fault, { seed, mostExecutions: 1_000_000 }),
      await seekFault(fault, { seed, mostExecutions: 300_000, isGuided: false }),
    ];
    const [cells] = [
      [guided, blind].map(({ findings: [first], executions }) =>
        first === undefined ? `not in ${executions}` : `${first.executions} inputs, ${first.seconds.toFixed(1)} s`,
      ),
    ];
    console.log(`| ${fault.name} | ${fault.target} | ${cells.join(' | ')} |`);
    if (guided.findings.length === 0) process.exitCode = 1;
  }
}
