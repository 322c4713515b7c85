// The form of every column of a backup: what a text or a number must be beside its type, before it becomes a row.

import { isMediaType } from '#media/media-type';
import { isCounter } from '../../abuse/limit-store.ts';
import { isEmailAddress, isEmailKey } from '../../auth/identity/email-address.ts';
import { isFullNumber } from '../../auth/identity/phone-number.ts';
import { eachUserDatum, userDataRules } from '../../backend/user-data.ts';
import { parseJson } from '../../backup/lines.ts';
import type { Form } from '../../backup/snapshot.ts';
import { isPlainFileName } from '../../files/file-name.ts';
import { isPurposeName } from '../../files/purpose.ts';
import { isContentHash } from '../../files/storage/blob-store.ts';
import { isInstallationId } from '../../files/storage/installation.ts';
import { isFileId } from '../../files/stored-file.ts';
import { isTime } from '../../kernel/clock.ts';
import { isId, isUuid } from '../../kernel/crypto/uuid.ts';
import { userDataColumns } from '../operations/auth/identity/user-rows.ts';

/*
 * An older version wrote the rows, or an operator has changed the settings since. So what may be a word of theirs has the form of such
 * a word, and need not be one that is known today. Media types are known: none was ever taken off their list.
 */
const id: Form = { name: 'an id', fits: isId };
/** Callers may name readers without knowing whether they have an account. */
const namedId: Form = { name: 'a UUID', fits: isUuid };
const fileId: Form = { name: 'the id of a file', fits: isFileId };
const time: Form = { name: 'a time', fits: (text) => isTime(Number(text)) };
const count: Form = { name: 'a number from 0 on', fits: isCount };
const phone: Form = { name: 'a full phone number', fits: isFullNumber };

export const rowForms = {
  installation: {
    slot: { name: 'the slot of an installation', fits: (text) => text === 'this' },
    id: { name: 'the id of an installation', fits: isInstallationId },
    created_at: time,
  },
  users: {
    id,
    phone,
    email: { name: 'an e-mail address', fits: isEmailAddress },
    email_key: { name: 'an e-mail address in lower case', fits: isEmailKey },
    blocked_at: time,
    created_at: time,
    seen_at: time,
    next_phone: phone,
    next_phone_at: time,
    next_phone_language: { name: 'a language', fits: (text) => /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/.test(text) },
    ...userDataColumns(eachUserDatum((field) => userDataRules[field].form)),
  },
  files: {
    id: fileId,
    user_id: id,
    purpose: { name: 'the name of a purpose', fits: isPurposeName },
    name: { name: 'a plain file name', fits: isPlainFileName },
    type: { name: 'a media type that files can have', fits: isMediaType },
    size: { name: 'a size', fits: isCount },
    sha256: { name: 'a hash', fits: isContentHash },
    width: count,
    height: count,
    created_at: time,
    charset: { name: 'the name of a charset', fits: (text) => /^[a-z0-9][a-z0-9_-]{0,39}$/.test(text) },
    keep_until: time,
    deleted_at: time,
    sweep_at: time,
    link_epoch: count,
  },
  file_readers: { file_id: fileId, user_id: namedId, created_at: time },
  limits: {
    id: { name: 'the id of a counter', fits: (text) => /^[\x21-\x7e]{1,200}$/.test(text) },
    hits: { name: 'a counter in JSON', fits: (text) => isCounter(parseJson(text)) },
    sweep_at: time,
  },
  audit_events: {
    id,
    kind: { name: 'the kind of an event', fits: (text) => /^[a-z][a-z-]{0,30}\.[a-z][a-z-]{0,30}$/.test(text) },
    user_id: id,
    recipient: { name: 'the mark of a recipient', fits: (text) => /^\P{Cc}{1,300}$/u.test(text) },
    detail: { name: 'an object in JSON without other objects', fits: (text) => isDetail(parseJson(text)) },
    created_at: time,
    order_no: count,
    position: count,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Form>>>>;

function isCount(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

function isDetail(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((part) => typeof part !== 'object' || part === null);
}
