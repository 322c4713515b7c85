// Composition: counts what ports answer, so that neither the domain nor the store knows of figures.

import type { Captcha } from '../../abuse/captcha.ts';
import type { BlobStore } from '../../files/blob-store.ts';
import { Failure } from '../../kernel/failure.ts';
import type { LimitName } from '../../kernel/metrics.ts';
import type { Metrics } from '../../kernel/telemetry.ts';
import type { Ports } from '../../store/ports.ts';

export function countOutcomes(ports: Ports, { count }: Metrics): Ports {
  const { sendRequests, signIns, sessions, bindings, users, files } = ports;
  const countEnded = (reason: Parameters<typeof count<'sessions_ended'>>[1]['reason'], sessionsEnded: number) => {
    if (sessionsEnded > 0) count('sessions_ended', { reason }, sessionsEnded);
  };
  const countSignIn = (method: 'sms' | 'link', outcome: Awaited<ReturnType<typeof signIns.signInWithLink>>) => {
    if (outcome.kind !== 'signed in') return count('sign_ins', { method, outcome: outcome.kind });
    count('sign_ins', { method, outcome: outcome.isNewUser ? 'new' : 'known' });
    countEnded('evicted', outcome.evicted.length);
  };
  return {
    ...ports,
    sendRequests: {
      ...sendRequests,
      request: async (request) => {
        const refusal = await sendRequests.request(request);
        if (refusal?.code === 'CAPTCHA_INVALID') count('captcha_checks', { outcome: 'replayed' });
        if (refusal !== undefined) return refusal;
        if (request.challenge === undefined) count('links_requested', {});
        else count('codes_requested', request.challenge.slot.startsWith('email-binding') ? forBinding : forPhone);
        return undefined;
      },
      noteSuspension: (suspension) => {
        count('limits_struck', { limit: `sms-${suspension.rule}` as LimitName });
        return sendRequests.noteSuspension(suspension);
      },
    },
    signIns: {
      signInWithPhone: async (signIn) => {
        const outcome = await signIns.signInWithPhone(signIn);
        // A code that proves nothing is told by its failure.
        if (outcome.kind !== 'refused') countSignIn('sms', outcome);
        return outcome;
      },
      signInWithLink: async (signIn) => {
        const outcome = await signIns.signInWithLink(signIn);
        countSignIn('link', outcome);
        return outcome;
      },
    },
    sessions: {
      ...sessions,
      rotate: async (rotation) => {
        const outcome = await sessions.rotate(rotation);
        if (outcome.kind === 'renewed') count('refreshes', outcome.isRepeat ? repeated : rotated);
        else count('refreshes', { outcome: outcome.kind });
        if (outcome.kind === 'reused') countEnded('reused', 1);
        if (outcome.kind === 'expired') countEnded('expired', 1);
        return outcome;
      },
      endSessions: async (input) => {
        const ended = await sessions.endSessions(input);
        countEnded(input.reason === 'logged out' ? 'logged out' : 'revoked', ended.length);
        return ended;
      },
    },
    bindings: {
      ...bindings,
      bindEmail: async (binding) => {
        const outcome = await bindings.bindEmail(binding);
        if (outcome.kind !== 'refused') count('emails_bound', { outcome: outcome.kind });
        return outcome;
      },
    },
    users: {
      ...users,
      deleteUser: async (input) => {
        const gone = await users.deleteUser(input);
        countEnded('account deleted', gone.sessionIds.length);
        return gone;
      },
    },
    files: {
      ...files,
      settle: async (settlement) => {
        const outcome = await files.settle(settlement);
        if (outcome.kind !== 'stored') return outcome;
        count('files_stored', { purpose: settlement.file.purpose });
        count('file_bytes', { direction: 'in' }, settlement.file.size);
        return outcome;
      },
      deleteFile: async (input) => {
        const isDeleted = await files.deleteFile(input);
        if (isDeleted) count('files_deleted', {});
        return isDeleted;
      },
    },
  };
}

const forPhone = { purpose: 'phone-login' } as const;
const forBinding = { purpose: 'email-binding' } as const;
const rotated = { outcome: 'rotated' } as const;
const repeated = { outcome: 'repeated' } as const;

export function countCaptcha(captcha: Captcha, { count }: Metrics): Captcha {
  return {
    ...captcha,
    check: async (token, ip) => {
      try {
        const spend = await captcha.check(token, ip);
        count('captcha_checks', { outcome: 'passed' });
        return spend;
      } catch (error) {
        const isRefusal = error instanceof Failure && error.code === 'CAPTCHA_INVALID';
        count('captcha_checks', { outcome: isRefusal ? 'refused' : 'unavailable' });
        throw error;
      }
    },
  };
}

/** How long the storage takes, whatever comes of it. */
export function timeBlobs(blobs: BlobStore, { observe }: Metrics): BlobStore {
  const timed = async <T>(act: 'keep' | 'read' | 'remove', work: () => Promise<T>): Promise<T> => {
    const begun = performance.now();
    try {
      return await work();
    } finally {
      observe('storage_seconds', { act }, (performance.now() - begun) / 1000);
    }
  };
  const { pump } = blobs;
  return {
    ...blobs,
    keep: (spool, id, sha256, signal) => timed('keep', () => blobs.keep(spool, id, sha256, signal)),
    read: (id, range, size) => timed('read', () => blobs.read(id, range, size)),
    remove: (id) => timed('remove', () => blobs.remove(id)),
    ...(pump !== undefined && { pump: (id, range, size) => timed('read', () => pump(id, range, size)) }),
  };
}
