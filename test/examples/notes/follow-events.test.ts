// How the example app catches up: page by page, from its cursor, and by comparing users when the cursor has expired.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createService } from '../../../client/src/service.ts';
import { createApplyEvent } from '../../../examples/notes/back-end/apply-event.ts';
import { catchUp } from '../../../examples/notes/back-end/follow-events.ts';
import { openNotebook } from '../../../examples/notes/back-end/notebook.ts';

const key = `gks_${'a'.repeat(12)}_${'b'.repeat(43)}`;
const deletion = (userId: string) => ({
  id: `deletion of ${userId}`,
  type: 'user.deleted',
  version: 1,
  timestamp: new Date().toISOString(),
  data: { userId },
});

/** A service that has these events, two on a page. Cursors are positions; a negative one has expired. */
function open(events: readonly ReturnType<typeof deletion>[], users: readonly string[] | 'refused' = []) {
  const asked: string[] = [];
  const fetch = async (input: string | URL | Request) => {
    const url = new URL(input instanceof Request ? input.url : input);
    asked.push(`${url.pathname}${url.search}`);
    const after = Number(url.searchParams.get('after') ?? 0);
    const isOfUser = url.pathname !== '/api/service/events';
    if (isOfUser && users === 'refused') return answer(403, 'SERVICE_KEY_INVALID');
    if (isOfUser)
      return users.includes(url.pathname.split('/').at(-1) ?? '') ? answer(200, { id: '' }) : answer(404, 'NOT_FOUND');
    if (after < 0) return answer(410, 'CURSOR_EXPIRED');
    const page = events.slice(after, after + 2);
    return answer(200, { events: page, next: String(after + page.length) });
  };
  const notebook = openNotebook(':memory:');
  for (const userId of ['ann', 'bob', 'eve', 'joe'])
    notebook.add({ userId, text: 'a note', fileId: null, createdAt: new Date().toISOString() });
  const service = createService({ url: 'http://localhost', key, fetch });
  return { notebook, asked, run: () => catchUp({ service, notebook, apply: createApplyEvent(notebook) }) };
}

function answer(status: number, given: object | string): Response {
  const failed = typeof given === 'string';
  const body = { success: !failed, message: '', codeError: failed ? given : null, data: failed ? null : given };
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

describe('catching up in the example app', () => {
  it('catching up applies every page and stores the last cursor', async () => {
    const { notebook, run } = open(['ann', 'bob', 'eve'].map(deletion));
    await run();
    assert.deepEqual(notebook.authors(), ['joe']);
    assert.equal(notebook.cursor(), '3');
  });

  it('catching up goes on after the stored cursor', async () => {
    const { notebook, asked, run } = open(['ann', 'bob', 'eve'].map(deletion));
    notebook.moveCursor('2');
    await run();
    assert.deepEqual(notebook.authors().toSorted(), ['ann', 'bob', 'joe']);
    assert.equal(asked[0], '/api/service/events?after=2');
  });

  it('with an expired cursor the app asks about every user with notes, and begins with the oldest event', async () => {
    const { notebook, asked, run } = open([deletion('joe')], ['bob', 'joe']);
    notebook.moveCursor('-1');
    await run();
    assert.deepEqual(notebook.authors(), ['bob']);
    assert.ok(asked.includes('/api/service/users/ann'));
    assert.equal(notebook.cursor(), '1');
  });

  it('catching up fails, and keeps the cursor, if Gatehouse refuses the question', async () => {
    const { notebook, run } = open([], 'refused');
    notebook.moveCursor('-1');
    await assert.rejects(run(), { code: 'SERVICE_KEY_INVALID' });
    assert.equal(notebook.cursor(), '-1');
    assert.equal(notebook.authors().length, 4);
  });
});
