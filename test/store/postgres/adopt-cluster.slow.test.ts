// A database is adopted while parts are lost: the synchronous standby is gone, or a table is locked. The command ends, and says what is the matter.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runCommand } from '../../helpers/commands/run-command.ts';
import { addStandby, connect, startPrimary } from '../../helpers/databases/postgres-pair.ts';
import { undoAfter } from '../../helpers/faults/undo.ts';
import { isolatedEnv } from '../../helpers/services/gatehouse.ts';

const adopt = ['database', 'adopt', '--reason', 'the standby is lost', '--yes', '--json'];

describe('the adoption of a database', { timeout: 120_000 }, () => {
  it('waits for no standby, and not for long for a lock', async (test) => {
    const undo = undoAfter(test);
    const primary = await startPrimary();
    undo(primary.end);
    const standby = await addStandby(primary);
    undo(standby.end);
    const { env, dispose } = await isolatedEnv('sqlite', { DATABASE_URL: primary.url });
    undo(dispose);
    assert.equal((await runCommand(['migrate', 'up'], env)).code, 0);
    await standby.stop('immediate');
    const adopted = await runCommand(adopt, env);
    assert.equal(adopted.code, 0, adopted.stderr);
    const client = await connect(primary);
    undo(() => client.end());
    const { rows } = await client.query<{ at: string }>('select adopted_at::text as at from database_cluster');
    assert.equal(Number(rows[0]?.at), JSON.parse(adopted.stdout).adoptedAt);

    await client.query('begin; lock table audit_events in access exclusive mode');
    const refused = await runCommand(adopt, env);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /other connections lock its tables/);
    await client.query('rollback');
  });
});
