/* The form builder with scripts: questions are dragged, buttons work without a new page and
 * keep the focus, the form stands beside as it will be seen. Everything works without. */
{
  const wide = () => matchMedia("(min-width: 64rem)").matches;
  const live = document.querySelector(".builder .live");
  const drawn = live?.querySelector("[data-drawn]");

  function showPreview() {
    document.querySelector(".builder")?.classList.add("with-preview");
    live.hidden = false;
  }

  /* Only the newest answer is shown, whichever comes last. */
  let asked = 0;
  async function draw(request) {
    const mine = ++asked;
    try {
      const answer = await request;
      if (!answer.ok || mine !== asked) return;
      const html = await answer.text();
      if (mine !== asked) return;
      drawn.innerHTML = html;
      showPreview();
      document.dispatchEvent(new Event("drawn"));
    } catch {
      /* The page works without. */
    }
  }

  /* The list of questions. */
  const list = document.getElementById("builder");
  if (list) {
    const said = document.getElementById("builder-said");
    const preview = () => draw(fetch(list.dataset.preview, { headers: { Accept: "text/html" } }));
    let busy = false;

    /* Sends a deed and puts the new list in place of the old; what is no list is opened as
     * a page. */
    async function perform(form, action, focus) {
      if (busy) return;
      busy = true;
      const fields = new URLSearchParams(new FormData(form));
      fields.set("action", action);
      try {
        const answer = await fetch(form.getAttribute("action"), { method: "POST", body: fields });
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = page.getElementById("builder")?.firstElementChild;
        if (!answer.ok || !fresh) {
          submitAnyway(form, action);
          return;
        }
        list.firstElementChild.replaceWith(document.adoptNode(fresh));
        const notice = page.querySelector("main .notice[role=status]");
        said.textContent = notice ? notice.textContent.trim() : "";
        ready();
        refocus(focus);
        preview();
      } catch {
        submitAnyway(form, action);
      } finally {
        busy = false;
      }
    }

    function submitAnyway(form, action) {
      const field = document.createElement("input");
      field.type = "hidden";
      field.name = "action";
      field.value = action;
      form.append(field);
      form.submit();
    }

    const button = (value) => list.querySelector(`button[value="${CSS.escape(value)}"]:not([disabled])`);

    /* The same button; at an end its neighbour; else the question, or the first of all. */
    function refocus({ value, path, index }) {
      const other = value.startsWith("up:") ? value.replace("up:", "down:")
        : value.startsWith("down:") ? value.replace("down:", "up:")
        : value.startsWith("section_up:") ? "" : value;
      const row = path && list.querySelector(`[data-path="${CSS.escape(path)}"] a`);
      const rows = list.querySelectorAll(".question a");
      const undo = list.querySelector('button[value^="put_back:"]');
      const target = (value.startsWith("remove:") && undo) || button(value) || (other && button(other)) || row ||
        rows[Math.min(index, rows.length - 1)] || list.querySelector("a");
      target?.focus();
    }

    list.addEventListener("submit", (event) => {
      const pressed = event.submitter;
      if (pressed?.name !== "action") return;
      event.preventDefault();
      const row = pressed.closest(".question");
      const rows = [...list.querySelectorAll(".question")];
      perform(event.target, pressed.value, { value: pressed.value, path: row?.dataset.path,
        index: Math.max(rows.indexOf(row), 0) });
    });

    /* Dragging: by the grip, among the questions of all sections. */
    let carried = null;
    const top = (element) => element?.closest?.(".questions:not(.inner) > .question");

    function clear() {
      for (const row of list.querySelectorAll(".over-before, .over-after, .carried"))
        row.classList.remove("over-before", "over-after", "carried");
    }

    function before(row, y) {
      const box = row.getBoundingClientRect();
      return y < box.top + box.height / 2;
    }

    function ready() {
      for (const grip of list.querySelectorAll(".questions:not(.inner) > .question > .question-words > .grip")) {
        grip.hidden = false;
        grip.addEventListener("pointerdown", start);
      }
    }

    function start(event) {
      if (event.button !== 0) return;
      carried = top(event.target);
      carried.classList.add("carried");
      event.preventDefault();
      const over = { row: null, before: false, section: null };
      const move = (at) => {
        clear();
        carried.classList.add("carried");
        const under = document.elementFromPoint(at.clientX, at.clientY);
        over.row = top(under);
        over.section = under?.closest("[data-section]");
        if (!over.row || over.row === carried) return;
        over.before = before(over.row, at.clientY);
        over.row.classList.add(over.before ? "over-before" : "over-after");
      };
      const stop = (dropped) => {
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", drop);
        removeEventListener("pointercancel", cancel);
        removeEventListener("keydown", escape);
        const row = carried;
        clear();
        carried = null;
        if (dropped) place(row, over);
      };
      const drop = () => stop(true);
      const cancel = () => stop(false);
      const escape = (key) => { if (key.key === "Escape") stop(false); };
      addEventListener("pointermove", move);
      addEventListener("pointerup", drop);
      addEventListener("pointercancel", cancel);
      addEventListener("keydown", escape);
    }

    /* Positions are counted without the one that is carried. */
    function place(row, over) {
      const section = over.section;
      if (!section || over.row === row) return;
      const rows = [...section.querySelectorAll(".questions:not(.inner) > .question")].filter((one) => one !== row);
      const at = over.row ? rows.indexOf(over.row) + (over.before ? 0 : 1) : rows.length;
      const path = row.dataset.path;
      perform(document.getElementById("questions"), `place:${path}:${section.dataset.section}:${at}`,
        { value: `up:${path}`, path, index: 0 });
    }

    ready();
    if (wide()) preview();
  }

  /* One question. */
  const panel = document.getElementById("panel");
  if (panel) {
    const form = panel.querySelector("form");
    const ruler = form.querySelector("[name=show_field]");
    let timer;

    function rule() {
      for (const values of form.querySelectorAll("[data-ruler]"))
        values.hidden = values.dataset.ruler !== ruler.value;
    }

    function preview() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const fields = new URLSearchParams(new FormData(form));
        draw(fetch(panel.dataset.preview, { method: "POST", body: fields }));
      }, 300);
    }

    /* Rows of choices change places without a round trip: their values do. */
    form.addEventListener("click", (event) => {
      const pressed = event.target.closest("button[name=action]");
      const found = /^(up|down):/.exec(pressed?.value ?? "");
      if (!found) return;
      const row = pressed.closest("fieldset.group");
      const other = found[1] === "up" ? row.previousElementSibling : row.nextElementSibling;
      if (!other?.matches("fieldset.group")) return;
      event.preventDefault();
      const mine = row.querySelectorAll("input");
      const theirs = other.querySelectorAll("input");
      mine.forEach((input, i) => { [input.value, theirs[i].value] = [theirs[i].value, input.value]; });
      (other.querySelector(`button[value^="${found[1]}:"]`) ?? other.querySelector("button"))?.focus();
      form.dispatchEvent(new Event("input", { bubbles: true }));
    });

    form.addEventListener("input", preview);
    form.addEventListener("change", preview);
    if (ruler) {
      rule();
      ruler.addEventListener("change", rule);
    }
    if (wide()) preview();
  }
}
