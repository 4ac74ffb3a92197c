import { SIGN, TOKENS } from "@glovebox/report";

/** The sheet of the sign-in pages, with the colours of the dashboard. */
export const STYLE = `${TOKENS}* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: var(--text-m) / 1.5 var(--font);
}
main {
  width: calc(100% - 2rem);
  margin: clamp(1rem, 10vh, 6rem) auto 2rem;
  padding: clamp(1.25rem, 5vw, 2rem);
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  background: var(--surface);
  overflow-wrap: anywhere;
}
.narrow { max-width: 25rem; }
.wide { max-width: 44rem; margin-top: 2rem; }
.brand { display: flex; align-items: center; gap: 0.5rem; margin: 0 0 1.5rem; font-weight: 620; }
.brand .box { fill: ${SIGN.box}; }
.brand .left { fill: ${SIGN.left}; }
.brand .right { fill: ${SIGN.right}; }
h1 { margin: 0 0 1rem; font-size: 1.625rem; font-weight: 650; letter-spacing: -0.018em; line-height: 1.25; }
h2 { margin: 2rem 0 0.75rem; padding-top: 1.5rem; border-top: 1px solid var(--line); font-size: 1rem; }
p { margin: 0 0 1rem; }
a { color: var(--accent); text-underline-offset: 0.18em; }
form, .choices { display: grid; gap: 1rem; margin: 0; padding: 0; }
.choices { list-style: none; }
.field { display: grid; gap: 0.25rem; }
label { font-weight: 550; }
.help { margin: 0; color: var(--muted); font-size: 0.8125rem; }
input {
  width: 100%;
  min-height: 2.5rem;
  padding: 0.25rem 0.75rem;
  border: 1px solid var(--control);
  border-radius: 0.5rem;
  background: var(--surface);
  color: inherit;
  font: inherit;
}
button, .button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  min-height: 2.5rem;
  padding: 0 1rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--surface);
  color: var(--text);
  font: inherit;
  font-weight: 550;
  text-decoration: none;
  cursor: pointer;
}
button:hover, .button:hover { background: var(--hover); }
.primary { border-color: transparent; background: var(--accent); color: var(--on-accent); }
.primary:hover { background: color-mix(in srgb, var(--accent) 88%, var(--text)); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.or { margin: 1.25rem 0; color: var(--muted); text-align: center; }
.problem, .done { padding: 0.75rem 1rem; border-radius: 0.5rem; }
.problem { background: var(--danger-soft); color: var(--danger); }
.done { background: var(--good-soft); color: var(--good); }
.rows { list-style: none; margin: 0 0 1rem; padding: 0; }
.rows li {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.5rem 1rem;
  padding: 0.5rem 0;
  border-bottom: 1px solid var(--line);
}
.rows form { display: block; }
.muted { color: var(--muted); }
[hidden] { display: none; }
@media (forced-colors: active) { button, .button, .problem, .done { border: 1px solid; } }
`;

/**
 * Asks the browser for a passkey when its form is submitted, and sends the response with the form. The options are JSON in
 * data-create or data-get (Web Authentication, section 5.1.8).
 */
export const PASSKEY_SCRIPT = `"use strict";
for (const form of document.querySelectorAll("form[data-create], form[data-get]")) {
  const problem = form.querySelector("[data-problem]");
  form.addEventListener("submit", async (event) => {
    if (form.elements.answer.value !== "") return;
    event.preventDefault();
    problem.hidden = true;
    try {
      const { create, get } = form.dataset;
      const credential = create
        ? await navigator.credentials.create({
            publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(create)),
          })
        : await navigator.credentials.get({
            publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(get)),
          });
      form.elements.answer.value = JSON.stringify(credential);
      form.requestSubmit();
    } catch {
      problem.hidden = false;
    }
  });
}
`;
