/** What a log of a service must not contain: errors, and lines that are not of the log, such as warnings of Node. */
export const loggedErrors = (service: string, log: string): string[] =>
  log
    .split("\n")
    .filter((line) => line !== "" && !isExpected(line))
    .map((line) => `${service}: ${line.slice(0, 500)}`);

const ERROR = 50;

function isExpected(line: string): boolean {
  if (!line.startsWith("{")) return line.startsWith("glovebox: stopping");
  const { level, msg } = JSON.parse(line) as { level: number; msg: string };
  return level < ERROR || msg === "request"; // a response, which the client has judged
}
