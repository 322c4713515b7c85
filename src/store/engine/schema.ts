// The schema as data: the source of column types, row types and the statements that load and save rows.

/** `int` is 64-bit; times are ms since the epoch. A question mark allows null. Both databases compare text bytewise. */
type ColumnKind = 'text' | 'int' | 'text?' | 'int?';

export const tables = {
  users: {
    key: ['id'],
    columns: {
      id: 'text',
      phone: 'text',
      email: 'text?',
      email_key: 'text?',
      blocked_at: 'int?',
      created_at: 'int',
    },
  },
  challenges: {
    key: ['slot'],
    columns: {
      slot: 'text',
      id: 'text',
      nonce: 'text',
      secret_id: 'text',
      state: 'text',
      attempts: 'int',
      asker_attempts: 'int',
      opened_at: 'int',
      expires_at: 'int',
      sweep_at: 'int',
    },
  },
  login_links: {
    key: ['token_hash'],
    columns: {
      token_hash: 'text',
      user_id: 'text',
      email_key: 'text',
      browser_hash: 'text',
      state: 'text',
      created_at: 'int',
      expires_at: 'int',
      sweep_at: 'int',
    },
  },
  sessions: {
    key: ['id'],
    columns: {
      id: 'text',
      user_id: 'text',
      seed_hash: 'text',
      counter: 'int',
      rotated_at: 'int',
      created_at: 'int',
      last_used_at: 'int',
      expires_at: 'int',
      ends_at: 'int',
      ended_at: 'int?',
      end_reason: 'text?',
      user_agent: 'text?',
      method: 'text',
      rotated_by: 'text?',
    },
  },
  signing_keys: {
    key: ['generation'],
    columns: {
      generation: 'int',
      id: 'text',
      public_key: 'text',
      private_key: 'text',
      created_at: 'int',
      active_from: 'int',
    },
  },
  outbox: {
    key: ['id'],
    columns: {
      id: 'text',
      channel: 'text',
      kind: 'text',
      payload: 'text',
      state: 'text',
      tries: 'int',
      doubts: 'int',
      due_at: 'int',
      created_at: 'int',
      expires_at: 'int',
      last_error: 'text?',
    },
  },
  inbox: {
    key: ['id'],
    columns: {
      id: 'text',
      channel: 'text',
      recipient: 'text',
      subject: 'text?',
      text: 'text',
      html: 'text?',
      created_at: 'int',
    },
  },
  limits: { key: ['id'], columns: { id: 'text', hits: 'text', sweep_at: 'int' } },
  captchas: { key: ['id'], columns: { id: 'text', sweep_at: 'int' } },
  files: {
    key: ['id'],
    columns: {
      id: 'text',
      user_id: 'text',
      purpose: 'text',
      name: 'text',
      type: 'text',
      size: 'int',
      sha256: 'text',
      width: 'int?',
      height: 'int?',
      created_at: 'int',
    },
  },
  uploads: {
    key: ['id'],
    columns: { id: 'text', user_id: 'text', bytes: 'int', key_id: 'text?', sweep_at: 'int' },
  },
  file_usage: { key: ['user_id'], columns: { user_id: 'text', bytes: 'int', files: 'int' } },
  idempotency_keys: {
    key: ['id'],
    columns: { id: 'text', fingerprint: 'text', file_id: 'text', sweep_at: 'int' },
  },
  audit_events: {
    key: ['id'],
    columns: {
      id: 'text',
      kind: 'text',
      user_id: 'text?',
      recipient: 'text?',
      detail: 'text',
      created_at: 'int',
    },
  },
  admins: {
    key: ['id'],
    columns: {
      id: 'text',
      name: 'text',
      link_hash: 'text',
      session_hash: 'text?',
      created_at: 'int',
      link_ends_at: 'int',
      ends_at: 'int',
      last_used_at: 'int?',
      ended_at: 'int?',
      end_reason: 'text?',
    },
  },
  webhooks: {
    key: ['id'],
    columns: {
      id: 'text',
      event_id: 'text',
      endpoint: 'text',
      type: 'text',
      state: 'text',
      tries: 'int',
      due_at: 'int',
      created_at: 'int',
      done_at: 'int?',
      last_error: 'text?',
    },
  },
  installation: { key: ['slot'], columns: { slot: 'text', id: 'text', created_at: 'int' } },
  blob_sweeps: {
    key: ['slot'],
    columns: {
      slot: 'text',
      pass: 'int',
      place: 'text',
      begun_at: 'int',
      ended_at: 'int?',
      blobs: 'int',
      orphans: 'int',
      missing: 'int',
      last_blobs: 'int',
      last_orphans: 'int',
      last_missing: 'int',
      holder: 'text',
      lease_until: 'int',
    },
  },
  orphans: {
    key: ['id'],
    columns: {
      id: 'text',
      first_seen_at: 'int',
      first_pass: 'int',
      last_pass: 'int',
      is_ours: 'int',
      sweep_at: 'int',
    },
  },
  receipts: { key: ['id'], columns: { id: 'text', sweep_at: 'int' } },
} as const satisfies Record<string, { key: readonly string[]; columns: Record<string, ColumnKind> }>;

export type TableName = keyof typeof tables;

type ValueOf<Kind> = Kind extends 'text'
  ? string
  : Kind extends 'int'
    ? number
    : Kind extends 'text?'
      ? string | null
      : number | null;

export type Row<T extends TableName> = {
  -readonly [C in keyof (typeof tables)[T]['columns']]: ValueOf<(typeof tables)[T]['columns'][C]>;
};

export type ColumnOf<T extends TableName> = keyof Row<T> & string;

export function columnsOf(table: TableName): string[] {
  return Object.keys(tables[table].columns);
}

export function keyOf(table: TableName): readonly string[] {
  return tables[table].key;
}

/** The array type that PostgreSQL needs for a column of input rows. */
export function arrayTypeOf(table: TableName, column: string): 'text[]' | 'int8[]' {
  const columns: Record<string, ColumnKind> = tables[table].columns;
  return columns[column]?.startsWith('int') ? 'int8[]' : 'text[]';
}
