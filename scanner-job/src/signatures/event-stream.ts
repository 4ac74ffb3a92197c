const MAX_EVENTS = 500;

/** The JSON of an event stream's `data` lines (HTML Standard, section 9.2); what is no JSON is left out. */
export function eventsIn(body: string): unknown[] {
  return body
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data:"))
    .slice(0, MAX_EVENTS)
    .flatMap((line) => parsed(line.slice("data:".length)));
}

function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return []; // `[DONE]`, an event cut off, or plain text
  }
}
