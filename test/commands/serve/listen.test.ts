// Why a port cannot be opened, and what to do.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listenError } from '../../../src/commands/serve/listen.ts';

const listen = { host: '10.0.0.9', port: 80, metricsPort: undefined, workers: 1 };

describe('a port that cannot be opened', () => {
  for (const [code, exitCode, sentence] of [
    ['EADDRINUSE', 1, /Port 80 is in use\. .*PORT=81 npm start/],
    ['EADDRNOTAVAIL', 78, /HOST=10\.0\.0\.9 is not an address of this machine/],
    ['ENOTFOUND', 78, /HOST=10\.0\.0\.9 cannot be resolved/],
    ['EAI_AGAIN', 78, /HOST=10\.0\.0\.9 cannot be resolved/],
    ['EACCES', 78, /may not listen on port 80/],
    ['EIO', 1, /Cannot listen on 10\.0\.0\.9:80\. text/],
  ] as const) {
    it(`by ${code} exits with ${exitCode} and names the cure`, () => {
      const error = listenError(listen, Object.assign(new Error('text'), { code }));
      assert.equal(error.exitCode, exitCode);
      assert.match(error.message, sentence);
    });
  }
});
