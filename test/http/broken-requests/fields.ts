// Broken requests: every field of every body missing, of every wrong type, empty, too long, or without a sensible value.
import type { FailureCode } from '../../../src/kernel/failure.ts';
import { type BrokenRequest, type Credentials, request } from '../../helpers/requests/raw-request.ts';

type Endpoint = { readonly line: string; readonly body: Readonly<Record<string, string>>; readonly isOptional?: true };

/** Each body would be accepted if nothing in it were changed. */
const endpointsWithBody: readonly Endpoint[] = [
  { line: 'POST /api/auth/phone/send/otp', body: { recipient: '+12025550123' } },
  { line: 'POST /api/auth/phone/login', body: { phone: '+12025550123', otp: '000000' } },
  { line: 'POST /api/auth/email/send/login-link', body: { recipient: 'ann@example.com' } },
  { line: 'POST /api/auth/email/login', body: { token: 'a'.repeat(43) } },
  { line: 'POST /api/auth/email/link/check', body: { token: 'a'.repeat(43) } },
  { line: 'POST /api/auth/email/send/otp', body: { recipient: 'ann@example.com' } },
  { line: 'PUT /api/auth/email/add', body: { email: 'ann@example.com', otp: '000000' } },
  { line: 'POST /api/auth/logout', body: { scope: 'local' }, isOptional: true },
];

const wrongTypes: Readonly<Record<string, unknown>> = {
  'a number': 12_025_550_123,
  zero: 0,
  'an array': ['+12025550123'],
  'an object': { value: '+12025550123' },
  true: true,
  null: null,
  'too long': 'a'.repeat(1000),
};

const phones: Readonly<Record<string, FailureCode>> = {
  '12025550123': 'PHONE_INVALID',
  '0012025550123': 'PHONE_INVALID',
  '+1202555': 'PHONE_INVALID',
  '+120255501234567890': 'PHONE_INVALID',
  '+1202555O123': 'PHONE_INVALID',
  '+1 202 555 0123 ext. 7': 'PHONE_INVALID',
  '+999123456789': 'PHONE_INVALID',
  '+': 'PHONE_INVALID',
  ' ': 'PHONE_INVALID',
  '++12025550123': 'PHONE_INVALID',
  '+12025550123;drop table users': 'PHONE_INVALID',
  '+12025550123,+12025550124': 'PHONE_INVALID',
  '+\u0661\u0662\u0660\u0662\u0665\u0665\u0665\u0660\u0661\u0662\u0663': 'PHONE_INVALID',
  'ann@example.com': 'PHONE_INVALID',
  '+18005550123': 'PHONE_NOT_SUPPORTED',
  '+19005550123': 'PHONE_NOT_SUPPORTED',
};

const emails = [
  'ann',
  'ann@',
  '@example.com',
  'ann@example',
  'ann@@example.com',
  'ann@example..com',
  'ann@-example.com',
  'ann smith@example.com',
  '"ann"@example.com',
  'ann@[127.0.0.1]',
  'Ann <ann@example.com>',
  'ann@example.com,bob@example.com',
  'ann@example.com\r\nBcc: bob@example.com',
  'ann@exämple.com',
  `ann@${'a'.repeat(64)}.com`,
  `ann@${'a.'.repeat(130)}com`,
];

const codes = ['abcdef', '12345', '1234567', '12 34', '1e5000', '-12345', '0x1234', '      ', '12345六'];

const tokens = ['a', 'a'.repeat(42), 'a'.repeat(44), '../../etc/passwd', `${'a'.repeat(42)}=`, `${'a'.repeat(42)} `];

export const fields: readonly BrokenRequest[] = [
  ...endpointsWithBody.flatMap((endpoint) =>
    Object.keys(endpoint.body).flatMap((field) => {
      const { [field]: _, ...without } = endpoint.body;
      const wrong = Object.entries(wrongTypes).map(([kind, value]) =>
        send(endpoint.line, `${field} ${kind}`, { ...endpoint.body, [field]: value }, 'REQUEST_INVALID', field),
      );
      return endpoint.isOptional === true
        ? wrong
        : [send(endpoint.line, `${field} missing`, without, 'REQUEST_INVALID', field), ...wrong];
    }),
  ),
  ...Object.entries(phones).map(([recipient, code]) =>
    send('POST /api/auth/phone/send/otp', `recipient ${JSON.stringify(recipient)}`, { recipient }, code),
  ),
  ...emails.map((recipient) =>
    send(
      'POST /api/auth/email/send/login-link',
      `recipient ${JSON.stringify(recipient)}`,
      { recipient },
      'EMAIL_INVALID',
    ),
  ),
  ...codes.map((otp) =>
    send(
      'POST /api/auth/phone/login',
      `otp ${JSON.stringify(otp)}`,
      { phone: '+12025550123', otp },
      'REQUEST_INVALID',
      'otp',
    ),
  ),
  send('POST /api/auth/phone/send/otp', 'recipient empty', { recipient: '' }, 'PHONE_INVALID'),
  send('POST /api/auth/email/send/login-link', 'recipient empty', { recipient: '' }, 'EMAIL_INVALID'),
  send('POST /api/auth/email/send/otp', 'recipient empty', { recipient: '' }, 'EMAIL_INVALID'),
  send('POST /api/auth/phone/login', 'phone empty', { phone: '', otp: '000000' }, 'PHONE_INVALID'),
  send('POST /api/auth/phone/login', 'otp empty', { phone: '+12025550123', otp: '' }, 'REQUEST_INVALID', 'otp'),
  send('PUT /api/auth/email/add', 'email empty', { email: '', otp: '000000' }, 'EMAIL_INVALID'),
  send('POST /api/auth/email/login', 'token empty', { token: '' }, 'REQUEST_INVALID', 'token'),
  send('POST /api/auth/logout', 'scope empty', { scope: '' }, 'REQUEST_INVALID', 'scope'),
  ...['POST /api/auth/email/login', 'POST /api/auth/email/link/check'].flatMap((line) =>
    tokens.map((token) => send(line, `token ${JSON.stringify(token)}`, { token }, 'LINK_INVALID')),
  ),
  send('POST /api/auth/logout', 'an unknown scope', { scope: 'everyone' }, 'REQUEST_INVALID', 'scope'),
  send('POST /api/auth/logout', 'a scope in upper case', { scope: 'LOCAL' }, 'REQUEST_INVALID', 'scope'),
  send('POST /api/auth/logout', 'a scope of a prototype', { scope: '__proto__' }, 'REQUEST_INVALID', 'scope'),
];

function send(line: string, what: string, body: unknown, code: FailureCode, field?: string): BrokenRequest {
  const shown = what.length > 80 ? `${what.slice(0, 80)}…` : what;
  return {
    name: `${line} with ${shown}`,
    bytes: (credentials) => request(line, goodHeaders(credentials), JSON.stringify(body)),
    code,
    ...(field !== undefined && { field }),
  };
}

function goodHeaders({ accessToken, captcha }: Credentials): string[] {
  return ['Content-Type: application/json', `Authorization: Bearer ${accessToken}`, `captcha-token: ${captcha}`];
}
