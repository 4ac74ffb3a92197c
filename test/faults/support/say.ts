/** A line for whoever watches the run. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);
