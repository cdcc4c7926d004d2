import { connect, type Socket } from 'node:net';

const LINE_END = Buffer.from('\r\n');

export interface BeanstalkAnswer {
  readonly words: readonly string[];
  /** What follows answers that say how long it is. */
  readonly body: Buffer | undefined;
}

interface Waiting {
  resolve(answer: BeanstalkAnswer): void;
  reject(error: Error): void;
}

/** One connection: commands may follow each other without waiting, because the server answers them in order. */
export class BeanstalkConnection {
  readonly #socket: Socket;
  readonly #waiting: Waiting[] = [];
  #received: Buffer = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('close', () => this.#fail(new Error('The connection to beanstalkd has ended.')));
    socket.on('error', (error) => this.#fail(error));
  }

  static open(port: number): Promise<BeanstalkConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new BeanstalkConnection(socket));
      });
    });
  }

  send(command: string): Promise<BeanstalkAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error('The connection to beanstalkd is closed.'));
      this.#waiting.push({ resolve, reject });
      this.#socket.write(command);
    });
  }

  /** Commands of one turn go out as one packet. */
  sendAll(commands: readonly string[]): Promise<BeanstalkAnswer>[] {
    this.#socket.cork();
    const answers = commands.map((command) => this.send(command));
    this.#socket.uncork();
    return answers;
  }

  /** Jobs that it has reserved go back to those that wait. */
  close(): void {
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
    let at = 0;
    for (let end = this.#answerEnd(at); end !== undefined; end = this.#answerEnd(at)) at = end;
    this.#received = this.#received.subarray(at);
  }

  /** Hands out the answer that begins here. @returns where the next one begins; `undefined` while it is not whole */
  #answerEnd(at: number): number | undefined {
    const lineEnd = this.#received.indexOf(LINE_END, at);
    if (lineEnd === -1) return undefined;
    const words = this.#received.toString('latin1', at, lineEnd).split(' ');
    const bodyAt = lineEnd + LINE_END.length;
    const bytes = words[0] === 'RESERVED' ? Number(words[2]) : words[0] === 'OK' ? Number(words[1]) : undefined;
    const end = bytes === undefined ? bodyAt : bodyAt + bytes + LINE_END.length;
    if (this.#received.length < end) return undefined;
    const body = bytes === undefined ? undefined : Buffer.from(this.#received.subarray(bodyAt, bodyAt + bytes));
    this.#waiting.shift()?.resolve({ words, body });
    return end;
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
