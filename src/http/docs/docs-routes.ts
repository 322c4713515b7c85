// The API reference and the error catalogue, served by the service itself.
import type { FastifyInstance } from 'fastify';
import type { TableLine } from '../route-table.ts';

export function registerDocsRoutes(_server: FastifyInstance, _table: readonly TableLine[], _brandName: string): void {}
