import 'reflect-metadata';
import { HoldfastError, StoreLockedError } from '@holdfast/contract';
import { announcement } from './announcement.js';
import { ConfigError, readConfig } from './demo-config.js';
import { startShop } from './start-shop.js';

try {
  const config = readConfig(process.env, process.cwd());
  const shop = await startShop(config);
  console.log(announcement(config, shop));
} catch (error) {
  console.error(explain(error));
  // The mail server or the receiver may be up already, and would keep a process alive that has nothing to do.
  process.exit(1);
}

/** What somebody at a terminal can act on is said in its own words; only what nobody expected comes with a stack. */
function explain(error: unknown): string {
  if (error instanceof StoreLockedError) return `${error.message} DEMO_DATA chooses the directory.`;
  if (error instanceof HoldfastError || error instanceof ConfigError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
