// What an SMTP error means for the message, and that the text of the server is never repeated.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NodemailerError } from 'nodemailer';
import { describe as describeError, judge } from '../../../src/adapters/mail/smtp-outcome.ts';

function fault(fields: Partial<NodemailerError>): NodemailerError {
  return Object.assign(new Error('550 no such user ann@example.com'), fields) as NodemailerError;
}

describe('an SMTP error', () => {
  for (const [what, fields, before, after, text] of [
    ['a refused connection', { code: 'ECONNREFUSED' }, 'refused', 'doubtful', 'connection refused'],
    ['a socket error', { code: 'ESOCKET', originalCode: 'ECONNRESET' }, 'refused', 'doubtful', 'connection lost'],
    ['a time-out', { code: 'ETIMEDOUT' }, 'refused', 'doubtful', 'time-out'],
    ['an unknown name', { code: 'EDNS' }, 'refused', 'doubtful', 'name not found'],
    [
      'another error',
      { code: 'ESOCKET', originalCode: 'CERT_HAS_EXPIRED' },
      'refused',
      'doubtful',
      'connection failed: CERT_HAS_EXPIRED',
    ],
    ['a closed connection', {}, 'refused', 'doubtful', 'connection failed: closed'],
    ['no STARTTLS', { code: 'ETLS' }, 'refused', 'doubtful', 'the server does not offer STARTTLS, so nothing was sent'],
    [
      'wrong credentials',
      { code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535, permanent: true },
      'refused',
      'doubtful',
      'SMTP 535 at AUTH PLAIN',
    ],
    [
      'a recipient that does not exist',
      { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550, permanent: true },
      'hopeless',
      'doubtful',
      'SMTP 550 at RCPT TO',
    ],
    [
      'a recipient for later',
      { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 451, permanent: false },
      'refused',
      'doubtful',
      'SMTP 451 at RCPT TO',
    ],
    [
      'a server that ends at the recipient',
      { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 421, permanent: false },
      'refused',
      'doubtful',
      'SMTP 421 at RCPT TO',
    ],
    [
      'a refused sender',
      { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 553, permanent: true },
      'refused',
      'doubtful',
      'SMTP 553 at MAIL FROM',
    ],
    [
      'a refused body',
      { code: 'EMESSAGE', command: 'DATA', responseCode: 554, permanent: true },
      'hopeless',
      'hopeless',
      'SMTP 554 at DATA',
    ],
    [
      'a body for later',
      { code: 'EMESSAGE', command: 'DATA', responseCode: 451, permanent: false },
      'refused',
      'refused',
      'SMTP 451 at DATA',
    ],
    [
      'an address that is none',
      { code: 'EENVELOPE', command: 'API' },
      'hopeless',
      'doubtful',
      'connection failed: EENVELOPE',
    ],
  ] as [string, Partial<NodemailerError>, string, string, string][]) {
    it(`${what} is ${before} before the body was sent and ${after} after`, () => {
      const error = fault(fields);
      const isOfRecipient = what === 'a recipient for later';
      assert.deepEqual(judge(error, false), { kind: before, error: text, ...(isOfRecipient && { isOfRecipient }) });
      assert.deepEqual(judge(error, true), { kind: after, error: text });
      assert.equal(describeError(error), text);
    });
  }
});
