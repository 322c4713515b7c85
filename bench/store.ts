// `npm run bench:store`: what growth costs; with `-- --long` on PostgreSQL with millions of users, and how long a day of sweeps takes.
await (process.argv.includes('--long') ? import('./large-store.ts') : import('./store-growth.ts'));
