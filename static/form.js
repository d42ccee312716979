/* Forms with scripts: the summary of errors takes the focus, rows of a group come and go
 * without a round trip, a question that depends on another answer is there when it
 * matters, leaving with unsaved text asks first. Everything works without. */
{
  document.querySelector(".summary[role=alert]")?.focus();

  const ROW = ":scope > fieldset.group";

  /* "links.0.url" and "f-links-0-url" with another number. */
  function renumber(row, group, number) {
    const patterns = [
      [new RegExp(`^((?:add:|remove:|up:|down:)?${group})\\.\\d+`), `$1.${number}`],
      [new RegExp(`(^|\\s)(f-${group})-\\d+`, "g"), `$1$2-${number}`],
    ];
    for (const element of [row, ...row.querySelectorAll("*")])
      for (const name of ["name", "value", "id", "for", "aria-describedby", "data-show"]) {
        if (name === "value" && element.tagName !== "BUTTON") continue;
        const value = element.getAttribute(name);
        if (value === null) continue;
        element.setAttribute(name, patterns.reduce((text, [from, to]) => text.replace(from, to), value));
      }
  }

  function emptied(row) {
    const copy = row.cloneNode(true);
    for (const input of copy.querySelectorAll("input, textarea, select")) {
      if (input.type === "checkbox" || input.type === "radio") input.checked = false;
      else input.value = "";
      input.removeAttribute("aria-invalid");
    }
    for (const words of copy.querySelectorAll(".msg")) words.remove();
    for (const field of copy.querySelectorAll(".error")) field.classList.remove("error");
    return copy;
  }

  /* The legend and the button of a row end in its number. */
  function relabel(row, number) {
    for (const words of row.querySelectorAll(":scope > legend, button .hidden"))
      words.textContent = words.textContent.replace(/\d+(?=\s*$)/, number + 1);
  }

  let next = 1000; // beyond any number that the server drew
  let changed = false;

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=action]");
    const group = button?.closest("[data-group]");
    if (!group) return;
    const [verb, name] = button.value.split(":");
    const rows = group.querySelectorAll(ROW);
    const last = rows[rows.length - 1];
    if (verb === "remove" && rows.length > 1) {
      event.preventDefault();
      const row = button.closest("fieldset.group");
      const neighbour = row.nextElementSibling?.matches("fieldset.group") ? row.nextElementSibling : row.previousElementSibling;
      row.remove();
      group.querySelectorAll(ROW).forEach(relabel);
      neighbour.querySelector("input, select, textarea")?.focus();
      changed = true;
    } else if (verb === "add" && last && next < 9999) {
      event.preventDefault();
      const row = emptied(last);
      renumber(row, name, next++);
      last.after(row);
      relabel(row, rows.length);
      toggle();
      row.querySelector("input, select, textarea")?.focus();
    }
  });

  /* data-show names the field that rules this one, data-values when it is there. Where the
   * ruling field is on another page, data-off says how the server found it. */
  function rules(field) {
    const scope = field.closest("form, [data-drawn]") ?? document;
    const ruler = scope.querySelector(`[name="${CSS.escape(field.dataset.show)}"]`);
    if (!ruler) return "off" in field.dataset ? "" : null;
    if (ruler.closest("[data-show]")?.hidden) return ruler.type === "checkbox" ? "false" : "";
    return ruler.type === "checkbox" ? String(ruler.checked) : ruler.value;
  }

  function toggle() {
    for (const words of document.querySelectorAll("[data-when]")) words.hidden = true;
    for (const field of document.querySelectorAll("[data-show]")) {
      const value = rules(field);
      field.hidden = value !== null && !JSON.parse(field.dataset.values).includes(value);
    }
  }

  toggle();
  document.addEventListener("change", toggle);
  document.addEventListener("drawn", toggle); // a part of the page has come anew

  const own = (event) => event.target.form?.method === "post" && !event.target.closest("[data-unguarded]");
  document.addEventListener("input", (event) => { if (own(event)) changed = true; });
  document.addEventListener("submit", () => { changed = false; });
  document.addEventListener("kept", () => { changed = false; }); // answer.js has saved it
  window.addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });
}
