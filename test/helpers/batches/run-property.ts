// Runs the batch property for one operation, for several at once, and on operations with a planted fault.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type OperationName, operations } from '../../../src/store/operations/all.ts';
import { seed } from '../faults/rounds.ts';
import type { Engine } from './engines.ts';
import { type FaultName, withFault } from './faults.ts';
import { type Case, casesOf, checkCase, mixedCases } from './property.ts';

const names = Object.keys(operations) as OperationName[];

export const readers = names.filter((name) => 'reads' in operations[name]);
export const writers = names.filter((name) => !('reads' in operations[name]));

/** Operations that touch the rows of the same users. */
const neighbours: readonly OperationName[] = [
  ...(['requestSend', 'signInWithPhone', 'bindEmail', 'issueLink', 'signInWithLink', 'removeEmail'] as const),
  ...(['rotateSession', 'endSessions', 'actOnUsers', 'deleteUser', 'noteSuspension', 'clearLimits'] as const),
  ...(['reserveUpload', 'hasFileRoom', 'settleUpload', 'refuseInfectedUpload', 'releaseUpload', 'holdUpload'] as const),
  ...(['createResumable', 'takeResumable', 'advanceResumable', 'cancelResumable', 'forgetUploadParts'] as const),
  ...(['beginUploadFinish', 'holdUploadFinish', 'leaveUploadFinish', 'knownUploads', 'listOpenUploads'] as const),
  ...(['notePendingFiles', 'takeRemovals', 'endRemovals', 'isRemovalDue'] as const),
  ...(['restoreFile', 'removeFromTrash', 'emptyTrash', 'listTrash', 'sweepFiles'] as const),
  ...(['deleteFile', 'isFileStored', 'redeemNotice', 'admitNoticeSms', 'changePhone'] as const),
  ...(['cancelPhoneChange', 'applyPhoneChanges', 'findPhoneChange', 'importUsers'] as const),
  ...(['changeUserData', 'findBackendUser', 'listBackendUsers', 'checkSession'] as const),
  ...(['findUser', 'findLink', 'findOwner', 'endedSince', 'listSessions', 'listFiles', 'fileUsage'] as const),
  ...(['authorizeApp', 'exchangeCode', 'endAppSession', 'saveConsent', 'listConsents', 'withdrawConsent'] as const),
  ...(['createFileLink', 'revokeFileLinks', 'countFileLinkUse', 'openFileLink', 'listFileLinks'] as const),
  ...(['setFileReaders', 'listFileReaders', 'findFileFor'] as const),
  ...(['createServiceKey', 'rotateServiceKey', 'revokeServiceKey', 'touchServiceKey', 'listLiveServiceKeys'] as const),
];

export function checkOperation(engine: Engine, name: OperationName, runs: number): Promise<void> {
  return fc.assert(propertyOf(engine, casesOf(name)), { seed, numRuns: runs });
}

/** On PostgreSQL they leave rows that another operation holds or changes to their next round, so no order of one round is promised. */
const skipHeldRows: readonly OperationName[] = ['applyPhoneChanges', 'sweepFiles'];

/** No smaller example is searched for: on PostgreSQL the operations run at the same time, and rarely meet again in the same way. */
export function checkSeveral(engine: Engine, runs: number): Promise<void> {
  const some = neighbours.filter((name) => engine.kind === 'sqlite' || !skipHeldRows.includes(name));
  return fc.assert(propertyOf(engine, mixedCases(some)), { seed, numRuns: runs, endOnFailure: true });
}

/** The same cases in every run: this tests the test, and a rare case must not decide. */
const seedOfFaults = 1;

/** Fails unless a batch of the faulty operation is found within this number of cases. */
export async function findFault(engine: Engine, name: OperationName, fault: FaultName, most: number): Promise<void> {
  const property = propertyOf(engine, casesOf(name));
  const { failed, errorInstance } = await withFault(name, fault, () =>
    fc.check(property, { seed: seedOfFaults, numRuns: most, endOnFailure: true }),
  );
  assert.ok(failed, `${name} with ${fault} was not found in ${most} cases`);
  assert.equal((errorInstance as Error).name, 'AssertionError');
}

function propertyOf(engine: Engine, cases: fc.Arbitrary<Case>) {
  return fc.asyncProperty(cases, (one) => checkCase(engine, one));
}
