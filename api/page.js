"use strict";

// Opens routes that are linked to, and sends the requests of their forms.

const LONGEST = 200000;
const HEADERS = [
  "ETag", "Location", "X-Request-ID", "Retry-After", "Preference-Applied", "WWW-Authenticate",
];
// Nowhere else: who loads the page again has to show it again.
const token = document.getElementById("token");
const routes = [...document.querySelectorAll("details.route")];

function open(hash) {
  const route = routes.find((found) => `#${found.id}` === hash);
  if (route) {
    route.open = true;
    route.scrollIntoView();
  }
}

// As it came, but for the white space: to parse it would lose digits.
function pretty(text) {
  let depth = 0;
  let before = "";
  let shown = "";
  for (const [token] of text.matchAll(/"(?:[^"\\]+|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    const closes = "}]".includes(token);
    const follows = before && "{[,".includes(before);
    depth -= closes;
    if (closes ? !follows : follows) {
      shown += `\n${"  ".repeat(depth)}`;
    }
    shown += token === ":" ? ": " : token;
    depth += "{[".includes(token);
    before = token;
  }
  return shown;
}

function request(form) {
  const headers = token.value ? { Authorization: `Bearer ${token.value.trim()}` } : {};
  const query = new URLSearchParams();
  let path = form.dataset.path;
  for (const field of form.querySelectorAll("[data-in]")) {
    if (field.dataset.in === "path") {
      path = path.replace(`{${field.name}}`, () => encodeURIComponent(field.value));
    } else if (field.value && field.dataset.in === "query") {
      query.set(field.name, field.value);
    } else if (field.value) {
      headers[field.name] = field.value;
    }
  }
  const body = form.querySelector("textarea")?.value;
  if (body) {
    headers["Content-Type"] = "application/json";
  }
  const address = query.toString() ? `${path}?${query}` : path;
  return [address, { method: form.dataset.method, headers, body, cache: "no-store" }];
}

function headersOf(answer) {
  const shown = HEADERS.filter((name) => answer.headers.has(name));
  return shown.map((name) => `${name}: ${answer.headers.get(name)}\n`).join("");
}

function bodyOf(answer, text) {
  const isJson = answer.headers.get("Content-Type") === "application/json";
  const start = text.slice(0, LONGEST);
  const left = text.length - start.length;
  return (isJson ? pretty(start) : start) + (left ? `\n… and ${left} characters more` : "");
}

async function send(form) {
  if (form.ariaBusy) {
    return;
  }
  const [status, shown] = [form.nextElementSibling, form.parentElement.lastElementChild];
  const began = performance.now();
  form.ariaBusy = "true";
  status.textContent = "Sent …";
  try {
    const answer = await fetch(...request(form));
    const text = await answer.text();
    const took = Math.round(performance.now() - began);
    status.textContent = `${answer.status} ${answer.statusText} in ${took} ms`;
    status.className = answer.status < 400 ? "" : "bad";
    shown.textContent = `${headersOf(answer)}\n${bodyOf(answer, text)}`.trim();
    shown.hidden = false;
    if (answer.ok && form.dataset.method === "POST") {
      remember(JSON.parse(text).session_id);
    }
  } catch (error) {
    status.textContent = `There was no answer: ${error.message}`;
    status.className = "bad";
    shown.hidden = true;
  }
  form.ariaBusy = null;
}

// The session that was declared last is the one that other forms are about.
function remember(session) {
  if (session) {
    fill(session);
    try {
      sessionStorage.setItem("session_id", session);
    } catch {
      // Forgotten with the next load, where the browser keeps nothing.
    }
  }
}

function fill(session) {
  for (const field of document.querySelectorAll("input[name=session_id]")) {
    field.value = session;
  }
}

async function copy(button, command) {
  getSelection().selectAllChildren(command);
  try {
    await navigator.clipboard.writeText(command.textContent);
    button.textContent = "Copied";
  } catch {
    // Over plain HTTP scripts have no clipboard; what is selected can be copied with the keys.
  }
}

for (const origin of document.querySelectorAll(".origin")) {
  origin.textContent = location.origin;
}
for (const block of document.querySelectorAll(".curl")) {
  const button = document.createElement("button");
  button.textContent = "Copy";
  button.addEventListener("click", () => copy(button, block.querySelector("code")));
  block.append(button);
}
token.parentElement.hidden = false;
for (const form of document.querySelectorAll("form")) {
  form.parentElement.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}
document.addEventListener("click", (event) => {
  // A link to where the page is already changes nothing that could be listened to.
  const link = event.target.closest("a[href^='#']");
  if (link) {
    open(link.hash);
  }
});
addEventListener("hashchange", () => open(location.hash));
open(location.hash);
if (sessionStorage.getItem("session_id")) {
  fill(sessionStorage.getItem("session_id"));
}
