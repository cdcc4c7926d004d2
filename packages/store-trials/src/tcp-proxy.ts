import net from 'node:net';

/** Stands between the store and its database, and can cut them off from each other: a restart, a failover, a pulled cable, a firewall. */
export class TcpProxy {
  readonly #server = net.createServer((socket) => this.#accept(socket));
  readonly #target: { readonly host: string; readonly port: number };
  readonly #sockets = new Set<net.Socket>();
  #isDown = false;
  #isSwallowing = false;

  private constructor(target: { readonly host: string; readonly port: number }) {
    this.#target = target;
  }

  /** @param usualPort of a server whose URL names none. @returns a proxy before it, and its URL by way of the proxy */
  static async before(
    serverUrl: string,
    usualPort: number,
  ): Promise<{ readonly proxy: TcpProxy; readonly url: string }> {
    const url = new URL(serverUrl);
    const proxy = new TcpProxy({ host: url.hostname, port: Number(url.port || usualPort) });
    url.host = `127.0.0.1:${await proxy.#listen()}`;
    return { proxy, url: url.href };
  }

  async #listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
    return address.port;
  }

  /** Every connection is reset, and none is taken until `up`. */
  down(): void {
    this.#isDown = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  up(): void {
    this.#isDown = false;
  }

  /** From now on nothing that is sent arrives, and nobody is told. */
  swallow(): void {
    this.#isSwallowing = true;
    for (const socket of this.#sockets) socket.unpipe();
  }

  /** New connections are carried again. Those that fell silent stay so. */
  carry(): void {
    this.#isSwallowing = false;
  }

  async close(): Promise<void> {
    this.down();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #accept(socket: net.Socket): void {
    if (this.#isDown) {
      socket.destroy();
      return;
    }
    const target = net.connect(this.#target);
    for (const [one, other] of [
      [socket, target],
      [target, socket],
    ] as const) {
      this.#sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
      if (!this.#isSwallowing) one.pipe(other);
    }
  }
}
