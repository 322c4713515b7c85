// Shared by the suites of broken requests: one running service and valid credentials.
import type { Gatehouse } from '../gatehouse.ts';
import type { Credentials } from '../raw-request.ts';

/** Filled before the first test runs. */
export type Stage = { gatehouse: Gatehouse; good: Credentials };
