/* The board stays up to date where scripts run: it asks for its rows and counters again
 * while somebody looks at it, and puts in place only what changed. What was ticked, where
 * the focus is and how far was scrolled stay. Ticking all of a page needs no page. */
const board = document.getElementById("board");

const chosen = document.getElementById("board-chosen");
const boxes = () => [...board.querySelectorAll("input[name=id]")];

function tellChosen() {
  const count = boxes().filter((box) => box.checked).length;
  chosen.hidden = count === 0;
  chosen.textContent = chosen.dataset.words.replace("%", count);
}

function pickScope(value) {
  const radio = board.querySelector(`input[name=scope][value=${value}]`);
  if (radio) radio.checked = true;
}

/* A row that changed gets its new cells, but for the box; one that nobody may miss (ticked,
 * or with the focus) stays although it does not match any more. */
function patchRow(old, fresh) {
  [...old.cells].forEach((cell, index) => {
    const next = fresh.cells[index];
    if (index === 0 || !next || cell.innerHTML === next.innerHTML) return;
    const inside = cell.contains(document.activeElement);
    cell.replaceChildren(...next.childNodes);
    if (inside) cell.querySelector("a")?.focus({ preventScroll: true });
    old.classList.add("changed");
    setTimeout(() => old.classList.remove("changed"), 4000);
  });
  old.classList.toggle("overdue", fresh.classList.contains("overdue"));
}

function patchRows(body, fresh) {
  const kept = (row) => row.contains(document.activeElement)
    || row.querySelector("input[name=id]")?.checked;
  for (const row of [...body.rows])
    if (!fresh.querySelector(`#${row.id}`) && !kept(row)) row.remove();
  let before = null;
  for (const next of [...fresh.rows]) {
    let row = document.getElementById(next.id);
    if (row) patchRow(row, next);
    else row = document.importNode(next, true);
    const place = before ? before.nextElementSibling : body.firstElementChild;
    /* Moving a row would take the focus away. */
    if (row !== place && !row.contains(document.activeElement)) body.insertBefore(row, place);
    before = row;
  }
}

function patch(text) {
  const fresh = new DOMParser().parseFromString(text, "text/html");
  for (const item of fresh.querySelectorAll("#board-counters > li")) {
    const here = document.getElementById(item.id);
    const [count, now] = [item, here].map((one) => one?.querySelector("b"));
    if (now && now.textContent !== count.textContent) now.textContent = count.textContent;
  }
  const rows = document.getElementById("board-rows");
  const next = fresh.getElementById("board-rows");
  const [body, freshBody] = [rows, next].map((one) => one.querySelector("tbody"));
  if (body && freshBody) {
    patchRows(body, freshBody);
    const pager = rows.querySelector(".pager span");
    const words = next.querySelector(".pager span").textContent;
    if (pager.textContent !== words) pager.textContent = words;
  } else if (!rows.contains(document.activeElement) && !boxes().some((box) => box.checked)) {
    rows.replaceChildren(...next.childNodes);
  }
  tellChosen();
}

let tag = null;
let asking = false;
async function ask() {
  if (asking || document.visibilityState !== "visible") return;
  asking = true;
  try {
    const answer = await fetch(board.dataset.live, {
      headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store",
      redirect: "error", credentials: "same-origin",
    });
    if (answer.status === 200) {
      patch(await answer.text());
      tag = answer.headers.get("ETag");
    }
  } catch {
    /* The server is away, or the session over: what is here stays, the next time tells. */
  } finally {
    asking = false;
  }
}

if (board) {
  const tick = document.getElementById("board-tick");
  tick.addEventListener("click", (event) => {
    event.preventDefault();
    const all = boxes();
    const on = all.some((box) => !box.checked);
    for (const box of all) box.checked = on;
    pickScope("chosen");
    tellChosen();
  });
  board.addEventListener("change", (event) => {
    if (event.target.name !== "id") return;
    pickScope("chosen");
    tellChosen();
  });
  tellChosen();
  const seconds = Number(board.dataset.seconds) || 10;
  setInterval(ask, seconds * 1000);
  document.addEventListener("visibilitychange", ask);
}
