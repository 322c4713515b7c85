// The tables of apps that sign users in: their codes, and what users allowed them to see.

export const appTables = {
  app_codes: {
    key: ['code_hash'],
    columns: {
      code_hash: 'text',
      app_id: 'text',
      user_id: 'text',
      parent_id: 'text',
      redirect_uri: 'text',
      challenge: 'text',
      nonce: 'text?',
      scopes: 'text',
      created_at: 'int',
      expires_at: 'int',
      used_at: 'int?',
      session_id: 'text?',
      sweep_at: 'int',
    },
  },
  app_consents: {
    key: ['user_id', 'app_id'],
    columns: { user_id: 'text', app_id: 'text', scopes: 'text', created_at: 'int' },
  },
} as const;
