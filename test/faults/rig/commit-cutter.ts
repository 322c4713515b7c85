// A proxy that cuts a PostgreSQL connection at a chosen byte of the last statement and commit of a transaction, or of their answers.
import type { Socket } from 'node:net';
import { startTcpProxy, type Tap, type TcpProxy } from '../../helpers/requests/tcp-proxy.ts';

/**
 * question: that many of the last bytes of the last statement and the commit never reach the server.
 * answer: of the server's answer to them, only that many bytes reach the client.
 * late: the client is cut off at once, and the server gets all bytes that many milliseconds later.
 */
export type CommitCut =
  | { readonly side: 'question' | 'answer'; readonly bytes: number }
  | { readonly side: 'late'; readonly milliseconds: number };

/** beyond: there are fewer bytes, and nothing was lost. missed: there was nothing to cut, or the last statement was sent before its commit. */
export type CutOutcome = 'cut' | 'beyond' | 'missed';

type CommitCutter = TcpProxy & {
  /** Waits for the next transaction in which the client sends the mark. The returned function ends the wait and returns the outcome. */
  arm(mark: string, cut: CommitCut): () => CutOutcome;
};

const begin = Buffer.from('Q\0\0\0\x0abegin\0');
const commit = Buffer.from('Q\0\0\0\x0bcommit\0');
const committed = Buffer.from('C\0\0\0\x0bCOMMIT\0Z\0\0\0\x05I');
/** The time that a statement waits for a commit after it. */
const waitMilliseconds = 5;

type Trap = { readonly mark: string; readonly cut: CommitCut; report(outcome: CutOutcome): void };

export async function startCommitCutter(target: { host: string; port: number }): Promise<CommitCutter> {
  let trap: Trap | undefined;
  const take = () => {
    const taken = trap;
    trap = undefined;
    return taken;
  };
  const tap: Tap = (client, upstream) => {
    const split = createStatementSplitter();
    let said: Buffer[] = [];
    let held: Buffer | undefined;
    let timer: NodeJS.Timeout | undefined;
    let answer = (chunk: Buffer): void => void (client.destroyed ? upstream.end() : client.write(chunk));
    const pass = () => {
      clearTimeout(timer);
      if (held !== undefined) upstream.write(held);
      held = undefined;
    };
    const hear = (statement: Buffer) => {
      if (statement.equals(begin)) said = [];
      said.push(statement);
      const isEnd = statement.equals(commit);
      if (!isEnd || trap === undefined || !Buffer.concat(said).includes(trap.mark)) {
        pass();
        held = statement;
        if (isEnd) said = [];
        return;
      }
      clearTimeout(timer);
      const { cut, report } = take() as Trap;
      const tail = Buffer.concat([held ?? Buffer.alloc(0), statement]);
      const hasSlipped = held === undefined;
      held = undefined;
      if (cut.side === 'late') {
        client.destroy();
        answer = () => undefined;
        setTimeout(() => upstream.end(tail), cut.milliseconds);
        report('cut');
      } else if (cut.side === 'question' && cut.bytes <= tail.length) {
        client.destroy();
        upstream.end(tail.subarray(0, tail.length - cut.bytes));
        report('cut');
      } else {
        if (cut.side === 'answer') answer = createAnswerCutter(client, upstream, cut.bytes, report);
        else report(hasSlipped ? 'missed' : 'beyond');
        upstream.write(tail);
      }
    };
    return {
      toServer: (chunk) => {
        for (const statement of split(chunk)) hear(statement);
        if (trap === undefined) pass();
        else timer = setTimeout(pass, waitMilliseconds);
      },
      toClient: (chunk) => answer(chunk),
    };
  };
  const proxy = await startTcpProxy(target, { tap });
  return {
    ...proxy,
    arm: (mark, cut) => {
      let outcome: CutOutcome = 'missed';
      const report = (seen: CutOutcome) => {
        outcome = seen;
      };
      trap = { mark, cut, report };
      return () => {
        trap = undefined;
        return outcome;
      };
    },
  };
}

/** Passes that many bytes to the client and ends the connection. The server continues without a client. */
function createAnswerCutter(client: Socket, upstream: Socket, bytes: number, report: (outcome: CutOutcome) => void) {
  let passed = Buffer.alloc(0);
  return (chunk: Buffer): void => {
    if (client.writableEnded) return void upstream.end();
    const room = bytes - passed.length;
    passed = Buffer.concat([passed, chunk.subarray(0, room)]);
    if (chunk.length > room) {
      client.end(chunk.subarray(0, room), () => client.destroy());
      report('cut');
    } else {
      client.write(chunk);
      if (passed.includes(committed)) report('beyond');
    }
  };
}

/** The message types that end a statement: a simple query, a sync, a password, a terminate. */
const ends = new Set([...'QSpX'].map((letter) => letter.charCodeAt(0)));

/** Returns complete statements and keeps the rest. The startup message counts as one, and is the only message without a type. */
function createStatementSplitter() {
  let rest = Buffer.alloc(0);
  let isGreeted = false;
  return (chunk: Buffer): Buffer[] => {
    rest = Buffer.concat([rest, chunk]);
    const statements: Buffer[] = [];
    for (let at = 0; ; ) {
      const lengthAt = isGreeted ? at + 1 : at;
      const end = lengthAt + (rest.length >= lengthAt + 4 ? rest.readInt32BE(lengthAt) : Number.POSITIVE_INFINITY);
      if (end > rest.length) return statements;
      const isWhole = !isGreeted || ends.has(rest[at] ?? 0);
      isGreeted = true;
      at = end;
      if (!isWhole) continue;
      statements.push(rest.subarray(0, at));
      rest = rest.subarray(at);
      at = 0;
    }
  };
}
