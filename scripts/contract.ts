// Holds what the API publishes against what the services of a test run answered: nothing unpublished, and nothing published in vain.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describeOperations } from '../src/http/interface/openapi.ts';
import { plainLines } from '../src/http/plain-lines.ts';
import { allLines } from './site/all-lines.ts';

/** Every answer that an operation publishes: its status, and the error code of a failure. */
export type Contract = Readonly<Record<string, readonly string[]>>;

export type SeenAnswer = { readonly operation: string; readonly answer: string; readonly where: string };

/** An answer that no test can bring about, and why the route publishes it all the same. */
type Excuse = { readonly operation: string; readonly answer: string; readonly because: string };

const challenge = 'GET /api/auth/captcha/challenge';
const excuses: readonly Excuse[] = [
  {
    operation: challenge,
    answer: '503 SERVICE_UNAVAILABLE',
    because: 'It needs no database. Only a service that starts answers so, before it has routes.',
  },
  {
    operation: challenge,
    answer: '503 SERVICE_STOPPING',
    because: 'It needs no database, so its answer is there before a stop could end it.',
  },
  {
    operation: challenge,
    answer: '500 INTERNAL_ERROR',
    because: 'It uses nothing that a test could break. Any code may have a fault.',
  },
];

/** Not the probes: they answer broken requests like any address, and publish only what a probe means. */
const comparedLines = plainLines.filter(({ tag }) => tag !== 'service');

type Document = Readonly<Record<string, Readonly<Record<string, { responses: Readonly<Record<string, Described>> }>>>>;
type Described = { readonly content?: { readonly 'application/json'?: Content } };
type Content = {
  readonly schema?: { readonly allOf?: readonly { readonly properties?: { readonly codeError?: Codes } }[] };
  readonly examples?: Readonly<Record<string, object>>;
};
type Codes = { readonly enum?: readonly string[] };

/**
 * Reads what the OpenAPI document says, as a client would. The inbox is included, although the document does not show it. HEAD counts as
 * GET, and an interim response is none.
 */
export function publishedContract(): Contract {
  const shown = allLines().map(({ isHidden: _, ...line }) => line);
  const paths = describeOperations(shown, comparedLines) as Document;
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => method !== 'head')
        .map(([method, { responses }]) => [
          `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
          Object.entries(responses)
            .filter(([status]) => Number(status) >= 200)
            .flatMap(([status, response]) => answersIn(status, response)),
        ]),
    ),
  );
}

/** What any request can meet, whatever its address. Beside the route table it need not be seen at each one. */
const everywhere = ['408', '413', '415', '429', '500', '503'];

/**
 * A run sees these by chance only. An upload ends while its first request still sends: on another node, or by its age. A body that is cut
 * short is refused by the route, or by the parser of requests before it.
 */
const rare = [
  'POST /api/file/upload: 404 UPLOAD_NOT_FOUND',
  'POST /api/file/upload: 410 UPLOAD_EXPIRED',
  'PATCH /api/file/upload/:id: 400 FILE_INCOMPLETE',
  'POST /api/service/files: 400 FILE_INCOMPLETE',
];

/** What a whole run must have seen. */
function promisedContract(contract: Contract): Contract {
  const beside = new Set(comparedLines.map(({ method, path }) => `${method} ${path}`));
  return Object.fromEntries(
    Object.entries(contract).map(([operation, answers]) => [
      operation,
      answers
        .filter((answer) => !beside.has(operation) || !everywhere.includes(answer.slice(0, 3)))
        .filter((answer) => !rare.includes(toLine({ operation, answer }))),
    ]),
  );
}

/** The codes of a failure are those of its schema, or the names of its examples where errors have another form. */
function answersIn(status: string, { content }: Described): string[] {
  const { schema, examples } = content?.['application/json'] ?? {};
  const codes = schema?.allOf?.flatMap(({ properties }) => properties?.codeError?.enum ?? []) ?? [];
  const named = codes.length > 0 ? codes : Object.keys(examples ?? {});
  return named.length === 0 ? [status] : named.map((code) => `${status} ${code}`);
}

/** Answers that no route may give, with the test files in which they were seen. */
export function unpublished(contract: Contract, seen: readonly SeenAnswer[]): string[] {
  const lies = seen.filter(({ operation, answer }) => contract[operation]?.includes(answer) === false);
  return [...Map.groupBy(lies, toLine)]
    .map(([line, all]) => `${line} is not published, and was answered in ${filesOf(all)}`)
    .toSorted();
}

function filesOf(seen: readonly SeenAnswer[]): string {
  return [...new Set(seen.map(({ where }) => where))].slice(0, 3).join(', ');
}

/** Published answers that no test has seen, and excuses that are no longer needed. */
export function neverSeen(contract: Contract, seen: readonly SeenAnswer[], excused: readonly Excuse[]): string[] {
  const known = new Set(seen.map(toLine));
  const promised = Object.entries(contract).flatMap(([operation, answers]) =>
    answers.map((answer) => ({ operation, answer })),
  );
  const open = new Set(promised.map(toLine)).difference(known);
  const pardoned = new Set(excused.map(toLine));
  return [
    ...[...open.difference(pardoned)].map((line) => `${line} is published, and no test has seen it`),
    ...[...pardoned.difference(open)].map((line) => `${line} needs no excuse any more`),
  ];
}

function toLine({ operation, answer }: { readonly operation: string; readonly answer: string }): string {
  return `${operation}: ${answer}`;
}

type ContractWatch = {
  /** For the test processes. They pass it on to the services that they start. */
  readonly env: Readonly<Record<string, string>>;
  /** Writes what is wrong. `isWhole`: every endpoint was tested, so that what was not seen counts too. Returns the exit code. */
  report(isWhole: boolean): 0 | 1;
};

export function watchContract(): ContractWatch {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-contract-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [publishedFile, seenFile] = [join(folder, 'published.json'), join(folder, 'seen')];
  const contract = publishedContract();
  writeFileSync(publishedFile, JSON.stringify(contract));
  writeFileSync(seenFile, '');
  return {
    env: { ANSWERS_PUBLISHED: publishedFile, ANSWERS_SEEN: seenFile },
    report: (isWhole) => {
      const seen = readSeen(readFileSync(seenFile, 'utf8'));
      const faults = [
        ...unpublished(contract, seen),
        ...(isWhole ? neverSeen(promisedContract(contract), seen, excuses) : []),
      ];
      for (const fault of faults) console.error(`✖ contract: ${fault}`);
      return faults.length === 0 ? 0 : 1;
    },
  };
}

function readSeen(text: string): SeenAnswer[] {
  return text.split('\n').flatMap((line) => {
    const [operation, answer, where] = line.split('\t');
    if (operation === undefined || answer === undefined || where === undefined) return [];
    return [{ operation, answer, where: relative(process.cwd(), where) }];
  });
}
