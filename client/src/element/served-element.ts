// The script that the service serves: registers <gatehouse-sign-in>, and exports the client for pages without a bundler.
import {
  browserStorage,
  createGatehouse,
  createUploadControl,
  GatehouseError,
  memoryStorage,
} from '../create-gatehouse.ts';
import { defineSignIn, GatehouseSignIn } from './sign-in-element.ts';

GatehouseSignIn.defaultBaseUrl = new URL(import.meta.url).origin;
defineSignIn();

export { browserStorage, createGatehouse, createUploadControl, GatehouseError, GatehouseSignIn, memoryStorage };
