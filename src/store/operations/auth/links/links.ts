// Sign-in links: issues one for the owner of an address, and ends those that are no longer the newest.

import {
  chooseSuperseded,
  judgeLink,
  type LinkOwner,
  type LinkRecord,
  type LinkState,
  type LinkTarget,
  linkStates,
  linkTimes,
} from '../../../../auth/links/login-link.ts';
import type { UserId } from '../../../../kernel/ids.ts';
import type { EmailKey } from '../../../../kernel/recipient.ts';
import { findWord } from '../../../../kernel/text/closed-list.ts';
import { listBy, openRows } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { sql } from '../../../engine/sql.ts';
import { statement } from '../../../engine/statement.ts';
import { operation, reading, type Transaction } from '../../../engine/transaction.ts';

type Issue = {
  readonly emailKey: EmailKey;
  readonly tokenHash: string;
  readonly browserHash: string;
  readonly authorizationTicket?: string | undefined;
  readonly lifeSeconds: number;
  /** When the user asked: the newest request has the newest link, in whatever order they are delivered. */
  readonly requestedAt: number;
  readonly now: number;
};

export const issueLink = operation(async (transaction, inputs: readonly Issue[]) => {
  const [users, links] = await Promise.all([
    openRows(
      transaction,
      'users',
      'email_key',
      inputs.map((input) => input.emailKey),
    ),
    openRows(
      transaction,
      'login_links',
      'token_hash',
      inputs.map((input) => input.tokenHash),
    ),
  ]);
  const owners = inputs.map((input) => users.get(input.emailKey));
  inputs.forEach((input, index) => {
    const owner = owners[index];
    // A repeated delivery finds its link issued and must not revive it.
    if (owner === undefined || links.get(input.tokenHash) !== undefined) return;
    links.put(newLink(input, owner.id));
  });
  await links.save();
  await endOlderLinks(transaction, owners);
  return owners.map((owner) => (owner?.email == null ? undefined : { address: owner.email }));
});

export const findLink = reading(async (transaction, inputs: readonly { tokenHash: string; now: number }[]) => {
  const links = await openRows(
    transaction,
    'login_links',
    'token_hash',
    inputs.map((input) => input.tokenHash),
  );
  const users = await openRows(
    transaction,
    'users',
    'id',
    inputs.map((input) => links.get(input.tokenHash)?.user_id),
  );
  return inputs.map(({ tokenHash, now }) => {
    const link = links.get(tokenHash);
    const user = users.get(link?.user_id ?? null);
    const verdict = judgeLink(link && toLink(link), user && toLinkOwner(user), now);
    if (verdict === 'lost' || link === undefined || user?.email == null) return undefined;
    const isExpired = verdict === 'expired';
    return { address: user.email, browserHash: link.browser_hash, isExpired, ...toTarget(link) };
  });
});

/** Ends the open links of these users. A caller that uses one link to sign in has saved it as consumed. */
export async function endLinksOf(
  transaction: Transaction,
  owners: readonly Pick<Row<'login_links'>, 'user_id'>[],
): Promise<void> {
  if (owners.length > 0) await transaction.run(supersedeAll, { rows: owners.map(({ user_id }) => ({ user_id })) });
}

/** A link ends with the address that it was sent to. */
export async function endLinksOfAddress(
  transaction: Transaction,
  replaced: readonly Pick<Row<'login_links'>, 'user_id' | 'email_key'>[],
): Promise<void> {
  if (replaced.length > 0) await transaction.run(supersedeAddress, { rows: replaced });
}

async function endOlderLinks(transaction: Transaction, owners: readonly (Row<'users'> | undefined)[]): Promise<void> {
  const ids = new Set(owners.flatMap((owner) => (owner === undefined ? [] : [owner.id])));
  if (ids.size === 0) return;
  const links = await listBy(transaction, 'login_links', 'user_id', ids);
  const byUser = Map.groupBy(links, (link) => link.user_id);
  const old = [...byUser.values()].flatMap((ofUser) => chooseSuperseded(ofUser.map(toIssuedLink)));
  if (old.length > 0)
    await transaction.run(supersedeLinksByToken, { rows: old.map(({ tokenHash }) => ({ token_hash: tokenHash })) });
}

export function toLink(row: Row<'login_links'>): LinkRecord {
  return { state: findWord(linkStates, row.state), emailKey: row.email_key, expiresAt: row.expires_at };
}

export function toTarget(row: Row<'login_links'>): LinkTarget {
  return { authorizationTicket: row.authorization_ticket ?? undefined };
}

export function toLinkOwner(user: Row<'users'>): LinkOwner {
  return { emailKey: user.email_key ?? undefined };
}

function toIssuedLink(row: Row<'login_links'>) {
  return { tokenHash: row.token_hash, state: findWord(linkStates, row.state), requestedAt: row.created_at };
}

function newLink(
  { emailKey, tokenHash, browserHash, authorizationTicket, lifeSeconds, requestedAt, now }: Issue,
  userId: UserId,
): Row<'login_links'> {
  const { expiresAt, keptUntil } = linkTimes(lifeSeconds, now);
  return {
    token_hash: tokenHash,
    user_id: userId,
    email_key: emailKey,
    browser_hash: browserHash,
    state: 'issued' satisfies LinkState,
    created_at: requestedAt,
    expires_at: expiresAt,
    sweep_at: keptUntil,
    authorization_ticket: authorizationTicket ?? null,
  };
}

const supersedeAll = statement<never>(({ isAmong, lockedWhere }) => {
  const isLeft = sql`${isAmong('login_links', 'user_id', 'rows')} and login_links.state = 'issued'`;
  return sql`update login_links set state = 'superseded' where ${lockedWhere('login_links', isLeft)}`;
});

const supersedeLinksByToken = statement<never>(({ isAmong, lockedWhere }) => {
  const isOld = sql`${isAmong('login_links', 'token_hash', 'rows')} and login_links.state = 'issued'`;
  return sql`update login_links set state = 'superseded' where ${lockedWhere('login_links', isOld)}`;
});

const supersedeAddress = statement<never>(({ isAmong, lockedWhere, lookUp, rows }) => {
  const input = rows('rows', 'login_links', ['user_id', 'email_key']);
  const isTheirs = sql`${isAmong('login_links', 'user_id', 'rows')} and login_links.state = 'issued'`;
  return sql`update login_links set state = 'superseded' from ${input} as input
    where login_links.user_id = input.user_id and login_links.email_key = input.email_key
    ${lookUp('login_links', 'user_id', 'rows')} and ${lockedWhere('login_links', isTheirs)}`;
});
