// The Swift board model, as a program: one JSON line in, one out.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

export const oraclePath = process.env.BOARD_ORACLE ?? '.build/debug/board-oracle';
export const oracleExists = () => existsSync(oraclePath);

export class Oracle {
  #waiting = [];

  constructor() {
    this.process = spawn(oraclePath, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.process.on('exit', (code, signal) => {
      const error = new Error(`the oracle ended: ${code ?? signal}`);
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    });
    const lines = createInterface({ input: this.process.stdout });
    lines.on('line', (line) => {
      const answer = JSON.parse(line);
      const { resolve, reject } = this.#waiting.shift();
      if (answer.error) reject(new Error(`the oracle: ${answer.error} (${answer.field})`));
      else resolve(answer);
    });
  }

  /** @returns {Promise<object>} the one line that answers it */
  ask(message) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.process.stdin.write(`${JSON.stringify(message)}\n`);
    });
  }

  close() {
    this.process.removeAllListeners('exit');
    this.process.stdin.end();
  }
}
