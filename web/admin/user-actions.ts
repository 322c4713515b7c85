// What staff can do to one user: each action with its question, what it changes, and its call.
import { fill } from '../parts/page-data.ts';
import type { StaffAction } from './act-dialog.tsx';
import { fillCount, texts } from './admin-texts.ts';
import { call } from './call.ts';
import { saveJson } from './save-json.ts';
import type { ShownUser } from './shown-user.ts';

/** A user without a number is called by the e-mail address. */
export function nameOf({ id, phone, email }: ShownUser['user']): string {
  return phone ?? email ?? id;
}

export function actionsOn({ user: shown, phoneChange, sessions, usage }: ShownUser): StaffAction[] {
  const { id, blockedAt, email } = shown;
  const at = { id };
  const user = { user: nameOf(shown) };
  const block: StaffAction = {
    label: texts.block,
    title: fill(texts.blockTitle, user),
    lead: texts.blockLead,
    call: 'adminBlock',
    act: (reason) => call('adminBlock', { at, body: { reason } }),
  };
  const unblock: StaffAction = {
    label: texts.unblock,
    title: fill(texts.unblockTitle, user),
    lead: texts.unblockLead,
    call: 'adminUnblock',
    act: (reason) => call('adminUnblock', { at, body: { reason } }),
  };
  const changePhone: StaffAction = {
    label: texts.changePhone,
    title: fill(texts.changePhoneTitle, user),
    lead: texts.changePhoneLead,
    phone: { label: texts.newPhone, hint: texts.newPhoneHint },
    call: 'adminChangePhone',
    act: (reason, phone) => call('adminChangePhone', { at, body: { phone, reason } }),
  };
  const cancelChange: StaffAction = {
    label: texts.cancelChange,
    title: fill(texts.cancelChangeTitle, user),
    lead: texts.cancelChangeLead,
    call: 'adminCancelPhone',
    act: (reason) => call('adminCancelPhone', { at, body: { reason } }),
  };
  const removeEmail: StaffAction = {
    label: texts.removeEmail,
    title: fill(texts.removeEmailTitle, user),
    lead: texts.removeEmailLead,
    call: 'adminRemoveEmail',
    act: (reason) => call('adminRemoveEmail', { at, body: { reason } }),
  };
  return [
    blockedAt === null ? block : unblock,
    {
      label: texts.signOutAll,
      title: fill(texts.signOutTitle, user),
      lead: fillCount(texts.signOutLead, { sessions: sessions.length }),
      call: 'adminSignOut',
      act: (reason) => call('adminSignOut', { at, body: { reason } }),
    },
    changePhone,
    ...(phoneChange === null ? [] : [cancelChange]),
    ...(email === null ? [] : [removeEmail]),
    {
      label: texts.exportData,
      title: fill(texts.exportTitle, user),
      lead: texts.exportLead,
      call: 'adminExport',
      act: async (reason) => saveJson(`${id}.json`, await call('adminExport', { at, body: { reason } })),
    },
    {
      label: texts.deleteUser,
      title: fill(texts.deleteTitle, user),
      lead: fillCount(texts.deleteLead, { files: usage.files, sessions: sessions.length }),
      confirm: id.slice(-4),
      call: 'adminDeleteUser',
      act: async (reason, confirm) => {
        await call('adminDeleteUser', { at, body: { reason, confirm } });
        location.hash = '#users';
      },
    },
  ];
}
