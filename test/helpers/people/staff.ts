// Staff: signs in with a link from the command line and calls the admin interface.
import assert from 'node:assert/strict';
import type { Clock } from '../../../src/kernel/clock.ts';
import type { Service } from '../../../src/service/service.ts';
import { createOperatorPorts } from '../../../src/store/ports.ts';
import { issueAdminToken } from '../../../src/support/staff/issue-admin-token.ts';
import type { StaffRole } from '../../../src/support/staff/staff-role.ts';

export type AdminReply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of many shapes
  readonly data: any;
  readonly outcome: string;
};

type AdminAsk = {
  readonly body?: unknown;
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** `line` is method and path after /api/admin. */
export async function askAdmin(url: string, line: string, { body, cookie, headers }: AdminAsk = {}) {
  const [method = '', path = ''] = line.split(' ');
  const response = await fetch(`${url}/api/admin${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(cookie !== undefined && { cookie }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { data, codeError } = JSON.parse(text);
  const outcome = codeError === null ? String(response.status) : `${response.status} ${codeError}`;
  return { status: response.status, headers: response.headers, text, data, outcome } satisfies AdminReply;
}

export async function issueTo(service: Service, clock: Clock, name: string, lifeSeconds = 8 * 3600, role?: StaffRole) {
  return issueAdminToken({ ...createOperatorPorts(service.store), clock }, { name, lifeSeconds, role });
}

/** Returns the cookie, and a function that calls the admin interface with it. */
export async function enterStaff(url: string, token: string) {
  const reply = await askAdmin(url, 'POST /session', { body: { token } });
  assert.equal(reply.outcome, '200');
  const [cookie = ''] = (reply.headers.getSetCookie()[0] ?? '').split(';');
  const ask = (line: string, body?: unknown) => askAdmin(url, line, { cookie, ...(body !== undefined && { body }) });
  return { cookie, ask, reply };
}
