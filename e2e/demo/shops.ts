import { AdminClient } from './admin-client.js';
import { DemoChild } from './demo-child.js';
import { temporaryDirectory } from './temporary-directory.js';

/** A running demo, seen by its user and by its operator. */
export interface Shop {
  readonly url: string;
  readonly admin: AdminClient;
}

export interface OpenShop {
  readonly demo: DemoChild;
  readonly shop: Shop;
}

/** One demo for each environment that is asked for, from the first time on until the end: starting one takes seconds. */
export class Shops {
  readonly #open = new Map<string, Promise<OpenShop & { close(): Promise<void> }>>();

  of(env: Readonly<Record<string, string>>): Promise<OpenShop> {
    const name = JSON.stringify(env);
    const open = this.#open.get(name) ?? this.#start(env);
    this.#open.set(name, open);
    return open;
  }

  async close(): Promise<void> {
    for (const open of this.#open.values()) await (await open).close();
  }

  async #start(env: Readonly<Record<string, string>>) {
    const directory = await temporaryDirectory();
    const demo = await DemoChild.start({ dataDirectory: directory.path, env });
    const url = await demo.url();
    return {
      demo,
      shop: { url, admin: new AdminClient(url) },
      async close() {
        await demo.kill();
        await directory.remove();
      },
    };
  }
}
