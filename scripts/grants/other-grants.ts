// What files, staff, back ends and the command line give.
import { by, type Grant, record } from './grant.ts';

const append = 'test/http/routes/files/resumable/append-upload.live.test.ts';
const sharing = 'test/store/operations/files/sharing/sharing.contract.test.ts';
const admins = 'test/store/operations/support/admins.contract.test.ts';
const adminCalls = 'test/http/routes/admin/admin.live.test.ts';
const ring = 'test/auth/tokens/key-ring.live.test.ts';

const inTrash = [sharing, 'a file in the trash is open to nobody'] as const;
const withFile = [sharing, 'links and readers go with their file, and a deleted user reads nothing'] as const;

export const otherGrants = {
  'link to a file': {
    id: 'GR18',
    by: { 'POST /api/file/:id/links': ['url'] },
    needs: 'the access token of the owner, who can read the file with it anyway',
    lives: 'at most 30 days. A sign-out leaves it',
    ends: {
      'its time': [sharing, 'a link opens its file until its end'],
      'its number of uses': [sharing, 'a link with two uses counts two, and opens no more'],
      revocation: [sharing, 'one link is revoked alone, and all with the epoch of the file'],
      'trash, until it is restored': inTrash,
      'deletion of the file': withFile,
      'or of the account': [
        'test/store/operations/files/sharing/sharing-races.live.test.ts',
        'no link of a deleted account stays',
      ],
      'a block of the owner, until it ends': [sharing, 'the links of a blocked owner open nothing'],
    },
    gap: 'An app with the scope `files` may make links and name readers, which stay when its access is withdrawn',
  },
  'named reader': {
    id: 'GR19',
    by: { 'PUT /api/file/:id/readers': [record] },
    needs: 'the access token of the owner. A reader needs a token of their own',
    lives: 'as long as the file. A sign-out leaves it',
    ends: {
      removal: [sharing, 'readers are replaced'],
      'trash, until it is restored': inTrash,
      'deletion of file, owner or reader': withFile,
      'a block of the owner, until it ends': [sharing, 'the readers whom a blocked owner named read nothing'],
      'or of the reader': ['test/commands/users/users.live.test.ts', 'users block makes every node refuse the tokens'],
    },
    gap: 'As for links',
  },
  'signed URL of the storage': {
    id: 'GR20',
    by: by(['GET /file/:id', 'GET /api/service/files/:id/content'], 'header Location'),
    needs: 'the right to read the file, at that moment. A link never redirects to one',
    lives: 'at most 2 minutes',
    ends: { 'its time alone': ['test/adapters/s3/s3-signer.live.test.ts', 'a signed URL expires in time'] },
    held: [['test/http/routes/files/sharing/sharing.live.test.ts', 'variants and downloads, and never redirects']],
  },
  'upload in several requests': {
    id: 'GR21',
    by: { 'POST /api/file/upload': ['header Location'], 'GET /api/file/uploads': ['url'] },
    needs: 'an access token, for each request of it: the id alone opens nothing',
    lives: '`UPLOAD_LIFE` (24 hours) after its last byte',
    ends: {
      'its end': [append, 'a complete upload takes nothing more'],
      'its time': [append, 'an upload that waits too long has expired'],
      cancellation: [
        'test/http/routes/files/resumable/overtaken-appends.live.test.ts',
        'a cancelled upload is gone, and a request that still sends to it is cut',
      ],
      'a block': [
        'test/http/routes/files/owner-state.live.test.ts',
        'a body that arrives meanwhile makes no file, in one request or in several',
      ],
      'a deletion': [
        'test/store/operations/files/resumable/resumable-ends.contract.test.ts',
        'a deleted user leaves no upload',
      ],
    },
    held: [[append, 'an upload of another user, an unknown id and a malformed id are not found alike']],
    gap: 'A request whose body is on its way when its token ends is finished',
  },
  'link of staff': {
    id: 'GR22',
    by: by(['gatehouse admin token']),
    needs: 'the command line of the service',
    lives: 'an hour, once',
    ends: {
      'its use': [adminCalls, 'a staff link works once within an hour'],
      'its time, `admin revoke`': [admins, 'a staff link that is late, revoked or unknown does not sign in'],
    },
  },
  'session of staff': {
    id: 'GR23',
    by: { 'POST /api/admin/session': ['cookie ADMIN'] },
    needs: 'a link of staff',
    lives: '30 minutes without use, 8 hours in all (at most 24)',
    ends: {
      'its time, sign-out': [admins, 'a staff sign-in goes idle, stays active while it is used, and ends'],
      '`admin revoke`': ['test/commands/admin/admin.live.test.ts', 'and admin revoke ends it once'],
    },
  },
  'service key': {
    id: 'GR24',
    by: {
      ...by(['POST /api/admin/service-keys', 'POST /api/admin/service-keys/:id/rotate'], 'key'),
      ...by(['gatehouse service-keys create', 'gatehouse service-keys rotate']),
    },
    needs: 'the session of an owner among staff, with a reason, or the command line',
    lives: 'at most a year',
    ends: {
      'its time': ['test/store/operations/backend/service-keys.contract.test.ts', 'a key is live until its end'],
      'revocation, within a second': [
        'test/http/guards/backend.live.test.ts',
        'and one that it revokes is refused there',
      ],
    },
    gap: 'It outlives the session of staff that made it. After `admin revoke`, look at who created the keys: `service-keys list`',
  },
  'data of an app about a user': {
    id: 'GR25',
    by: by(['PATCH /api/service/users/:id'], record),
    needs: 'a service key with `users:write`. The claims are in access tokens from the next refresh on',
    lives: 'as long as the account, longer than the key',
    ends: {
      'other data': [
        'test/store/operations/backend/backend-users.contract.test.ts',
        'a change replaces only what it names',
      ],
      'a deletion': [
        'test/store/operations/backend/backend-users.contract.test.ts',
        'is free again when it is removed or the user is deleted',
      ],
    },
    gap: 'A back end that trusts claims trusts every key that could write them. After a stolen key, look at `audit tail --kind user.data-changed`',
  },
  'secret of an app': {
    id: 'GR26',
    by: by(['gatehouse apps add', 'gatehouse apps secret']),
    needs: 'write access to the file of apps',
    lives: 'until it is replaced, after a restart',
    ends: {
      'a new secret': ['test/commands/apps/apps.live.test.ts', 'a new secret replaces the hash of the old one'],
      'an app that is no longer listed': [
        'test/http/oauth/changed-list.live.test.ts',
        'and one that is removed, cannot use what they got before',
      ],
    },
  },
  'secret and signing keys of the service': {
    id: 'GR27',
    by: by(['gatehouse secret generate', 'gatehouse secret rotate', 'gatehouse keys rotate']),
    needs: 'the command line of the service',
    lives: 'until it is replaced; a signing key signs for 30 days',
    ends: {
      'its successor': [ring, 'the old one is kept until its last token has ended'],
      '`secret rotate` and the end of `SECRET_PREVIOUS`': [
        ring,
        'refresh tokens, codes and signing keys made under a removed secret no longer work',
      ],
      '`keys revoke`': ['test/auth/tokens/key-ring.test.ts', 'a key that was revoked neither signs nor verifies'],
    },
  },
  'messages of local mode': {
    id: 'GR28',
    by: { 'GET /api/inbox': ['data'] },
    needs: 'a channel `inbox:`, which production refuses, and a host name of this machine',
    lives: 'as long as the codes and links in them',
    ends: { 'as theirs': ['test/http/routes/auth/sign-in/sign-in-with-phone.live.test.ts', 'a code works once'] },
    held: [
      ['test/http/guards/host.live.test.ts', 'the inbox answers requests under host names'],
      ['test/config/config.test.ts', 'production refuses providers that are meant for local work only'],
    ],
  },
} as const satisfies Readonly<Record<string, Grant>>;
