"use strict";

// Opens routes that are linked to, finds routes by words, and sends the requests of their forms.

const LONGEST = 200000;
const HEADERS = [
  "ETag", "Location", "X-Request-ID", "Retry-After", "Preference-Applied", "WWW-Authenticate",
];
// Nowhere else: who loads the page again has to show it again.
const token = document.getElementById("token");
const routes = [...document.querySelectorAll("details.route")];
const query = document.getElementById("query");
// What a route is found by: its first lines, its description, names of parameters and members,
// and codes of errors.
const TOLD = ":scope > summary, :scope > p, tbody th code, .errors td:nth-child(2)";
const texts = new Map();

function open(hash) {
  const route = routes.find((found) => `#${found.id}` === hash);
  if (route) {
    if (route.hidden) {
      search("");
    }
    route.open = true;
    route.scrollIntoView();
  }
  return route;
}

function textOf(route) {
  if (!texts.has(route)) {
    const told = [...route.querySelectorAll(TOLD)].map((found) => found.textContent);
    const text = [route.id, route.id.replaceAll("_", " "), ...told].join("\n").toLowerCase();
    texts.set(route, text);
  }
  return texts.get(route);
}

// Only routes that have every word stay; the address keeps the words, without a request.
function search(asked) {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  for (const route of routes) {
    route.hidden = !words.every((word) => textOf(route).includes(word));
    link(route.id).parentElement.hidden = route.hidden;
  }
  for (const group of document.querySelectorAll("main > section")) {
    group.hidden = !group.querySelector(".route:not([hidden])");
    link(group.firstElementChild.id).closest("div").hidden = group.hidden;
  }
  const n = routes.filter((route) => !route.hidden).length;
  document.getElementById("found").textContent = `${n} of ${routes.length} routes`;
  if (query.value !== asked) {
    query.value = asked;
  }
  const address = new URL(location.href);
  address.searchParams.delete("q");
  if (words.length) {
    address.searchParams.set("q", asked);
  }
  try {
    history.replaceState(history.state, "", address);
  } catch {
    // Some browsers take only so many in a while; the next letter tries again.
  }
}

function link(id) {
  return document.querySelector(`nav a[href="#${id}"]`);
}

function searchTyped() {
  search(query.value);
  // What is found begins at the top, wherever the page was before.
  const main = document.querySelector("main");
  if (main.getBoundingClientRect().top < 0) {
    main.scrollIntoView();
  }
}

function searchKey(event) {
  if (event.key === "Escape") {
    event.preventDefault();
    search("");
  } else if (event.key === "Enter") {
    // Or the route, which has the focus then, would be closed by the same key.
    event.preventDefault();
    const first = routes.find((route) => !route.hidden);
    if (first) {
      open(`#${first.id}`);
      first.querySelector("summary").focus();
    }
  }
}

// A slash leads to the search, unless it is typed into a field.
function slash(event) {
  const isPlain = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (isPlain && !event.target.closest("input, select, textarea")) {
    event.preventDefault();
    query.focus();
    query.select();
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
query.addEventListener("input", searchTyped);
query.addEventListener("keydown", searchKey);
document.addEventListener("keydown", slash);
document.getElementById("search").hidden = false;
search(new URLSearchParams(location.search).get("q") ?? "");
open(location.hash);
if (sessionStorage.getItem("session_id")) {
  fill(sessionStorage.getItem("session_id"));
}
