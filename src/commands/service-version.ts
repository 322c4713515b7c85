// The version of this program, as the banner, `gatehouse --version` and backups state it.

export const serviceVersion = '0.0.2';
