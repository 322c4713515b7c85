// Preloaded by the test run, in tests and in the services that they start: notes what every route answers, and fails a test in which
// a route gives an answer that it does not publish. scripts/contract.ts compares the notes of a whole run.
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** @typedef {import('../../src/http/server/request.ts').HttpRequest} HttpRequest */

const { ANSWERS_SEEN: seenFile, ANSWERS_PUBLISHED: publishedFile, ANSWERS_SEEN_IN, TEST_FILE } = process.env;
const isTest = TEST_FILE !== undefined;
const seenIn = ANSWERS_SEEN_IN ?? TEST_FILE;

/** What was noted, and whether the route publishes it.
 * @type {Map<string, boolean>} */
const noted = new Map();
/** Answers since the last test that their route does not publish.
 * @type {Set<string>} */
const surprises = new Set();
/** @type {Record<string, string[]> | undefined} */
let published;

// Unit tests run without a file of their own: their routes may be made up.
if (isMainThread && seenIn !== undefined && seenFile !== undefined && publishedFile !== undefined) {
  subscribe('gatehouse.answer', (message) =>
    watch(/** @type {{ request: HttpRequest, status: number, body: unknown }} */ (message)),
  );
  if (isTest) process.getBuiltinModule('node:test').afterEach(refuseSurprises);
}

/** @param {{ request: HttpRequest, status: number, body: unknown }} answer */
function watch({ request, status, body }) {
  const code = status < 400 ? undefined : codeIn(request, body);
  // The endpoints of apps publish the codes of OAuth, which a page does not contain.
  if (code !== undefined && code === request.failed?.code && request.url.startsWith('/oauth/')) return;
  note(request, code === undefined ? `${status}` : `${status} ${code}`);
}

/**
 * @param {HttpRequest} request
 * @param {string} answer
 */
function note({ method, route }, answer) {
  if (route === undefined) return;
  const operation = `${method === 'HEAD' ? 'GET' : method} ${route.path}`;
  const line = `${operation}\t${answer}`;
  if (!noted.has(line)) {
    appendFileSync(/** @type {string} */ (seenFile), `${line}\t${seenIn}\n`);
    noted.set(line, !isTest || isPublished(operation, answer));
  }
  if (noted.get(line) === false) surprises.add(`${operation}: ${answer}`);
}

/** Pages and probes are not in the list.
 * @param {string} operation
 * @param {string} answer
 */
function isPublished(operation, answer) {
  published ??= /** @type {Record<string, string[]>} */ (
    JSON.parse(readFileSync(/** @type {string} */ (publishedFile), 'utf8'))
  );
  return published[operation]?.includes(answer) ?? true;
}

/**
 * A page about a failure has no envelope. The request knows its code, if it has one.
 * @param {HttpRequest} request
 * @param {unknown} payload
 */
function codeIn({ failed }, payload) {
  try {
    const { codeError, error } = JSON.parse(String(payload));
    return codeError ?? error;
  } catch {
    return failed?.code;
  }
}

function refuseSurprises() {
  const found = [...surprises];
  surprises.clear();
  if (found.length > 0) throw new Error(`not published by the route, see its failures: ${found.join(', ')}`);
}
