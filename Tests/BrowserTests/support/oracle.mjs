// The Swift board model, as a program: one JSON line in, one out.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

export const oraclePath = process.env.BOARD_ORACLE ?? '.build/debug/board-oracle';
export const oracleExists = () => existsSync(oraclePath);

export class Oracle {
  #waiting = [];

  /** @param {object} board @param {number} [window] */
  constructor(board, window) {
    this.process = spawn(oraclePath, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.process.on('exit', (code) => this.#waiting.splice(0).forEach(({ reject }) => reject(new Error(`the oracle ended: ${code}`))));
    createInterface({ input: this.process.stdout }).on('line', (line) => this.#waiting.shift().resolve(JSON.parse(line)));
    this.#write({ board, ...(window && { window }) });
  }

  #write(message) {
    this.process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** @returns {Promise<object>} */
  ask(message) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#write(message);
    });
  }

  close() {
    this.process.removeAllListeners('exit');
    this.process.stdin.end();
  }
}
