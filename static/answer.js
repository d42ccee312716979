/* What is typed into a section is kept as it is typed: on the server, and on this device
 * until the server has it. Everything works without. */
{
  const form = document.querySelector("form[data-autosave]");
  const PREFIX = "labd:answer:";
  const SETTLE = 1200; // ms without a key before it is saved
  const RETRY = [2000, 5000, 15000, 30000];
  const PATIENCE = 5000; // ms that sending waits for a save under way
  const WARN = 5 * 60 * 1000; // before the session ends

  const clock = (at) => {
    const then = new Date(at);
    const today = then.toDateString() === new Date().toDateString();
    const time = { hour: "2-digit", minute: "2-digit" };
    return today ? then.toLocaleTimeString(document.documentElement.lang, time)
      : then.toLocaleString(document.documentElement.lang, { ...time, day: "numeric", month: "short" });
  };

  const stored = {
    read(key) {
      try { return JSON.parse(localStorage.getItem(PREFIX + key)); } catch { return null; }
    },
    write(key, value) {
      try { localStorage.setItem(PREFIX + key, JSON.stringify(value)); } catch { /* full, or not allowed */ }
    },
    forget(start) {
      try {
        for (const key of Object.keys(localStorage))
          if (key.startsWith(PREFIX + start)) localStorage.removeItem(key);
      } catch { /* not allowed */ }
    },
  };

  for (const sent of document.querySelectorAll("[data-forget]")) stored.forget(sent.dataset.forget);
  for (const button of document.querySelectorAll("button[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }

  function watch() {
    const { key } = form.dataset;
    const words = document.getElementById("answer-words").dataset;
    const status = document.getElementById("saved");
    const choice = document.getElementById("answer-choice");
    const seen = form.elements["-seen"];
    let dirty = 0; // changes since the last save, counted
    let busy = false;
    let running = null; // the save under way
    let leaving = false; // sent as soon as that one is answered
    let over = false; // nothing is taken any more
    let failures = 0;
    let timer;
    let conflict = null;

    const say = (text, at) => { status.textContent = at ? text.replace("%s", clock(at)) : text; };
    const typed = () => [...new FormData(form)].filter(([name, value]) =>
      typeof value === "string" && !["csrf", "action", "redraws"].includes(name));
    const local = (more) => stored.write(key, { at: new Date().toISOString(), change: form.dataset.change,
      seen: seen.value, fields: typed(), ...more });

    function later(ms) {
      clearTimeout(timer);
      timer = setTimeout(() => { if (!busy) running = save(); }, ms);
    }

    function fail(text) {
      say(text);
      local();
      later(RETRY[Math.min(failures++, RETRY.length - 1)]);
    }

    function choose(serverAt, localAt, take) {
      conflict = take;
      for (const [part, at] of [["server", serverAt], ["local", localAt]]) {
        const time = choice.querySelector(`[data-${part}]`);
        time.dateTime = at ?? "";
        time.textContent = at ? clock(at) : "–";
      }
      choice.hidden = false;
      choice.focus();
    }

    async function taken(reply, count) {
      const kept = await reply.json();
      failures = 0;
      seen.value = kept.seen;
      form.dataset.change = kept.change;
      form.dataset.savedAt = kept.saved_at;
      if (kept.ends) document.dispatchEvent(new CustomEvent("session", { detail: kept.ends }));
      if (dirty !== count) return later(SETTLE);
      dirty = 0;
      stored.forget(key);
      document.dispatchEvent(new Event("kept"));
      say(words.saved, kept.saved_at);
      return undefined;
    }

    async function refused(reply) {
      const json = /json/.test(reply.headers.get("content-type") ?? "");
      const said = json ? await reply.json() : {};
      local();
      if (reply.status === 409 && said.conflict)
        return choose(said.saved_at, new Date().toISOString(), "merge");
      over = json;
      return say(json ? words.refused : words.signedOut);
    }

    async function save(merge) {
      clearTimeout(timer);
      if (busy || over || !dirty || (conflict && merge !== true)) return;
      busy = true;
      const count = dirty;
      const body = new URLSearchParams([...typed(), ["csrf", form.elements.csrf.value]]);
      if (merge === true) body.append("-merge", "1");
      say(words.saving);
      try {
        const reply = await fetch(form.dataset.autosave, { method: "POST", body, redirect: "manual" });
        if (reply.ok) {
          await taken(reply, count);
          if (merge === true) location.reload();
        } else if (reply.status >= 500) fail(words.failed);
        else await refused(reply);
      } catch {
        fail(words.offline);
      } finally {
        busy = false;
      }
    }

    function touched() {
      dirty += 1;
      local();
      later(SETTLE);
    }

    /* Rows that this page does not have are drawn by the server. */
    function redraw(fields) {
      const carrier = document.createElement("form");
      carrier.method = "post";
      carrier.action = form.getAttribute("action"); // its buttons are named so too
      if (form.enctype === "multipart/form-data") carrier.enctype = form.enctype;
      for (const [name, value] of [...fields, ["csrf", form.elements.csrf.value], ["action", "redraw"], ["redraws", "yes"]]) {
        const input = document.createElement("input");
        input.type = "hidden";
        input.name = name;
        input.value = value;
        carrier.append(input);
      }
      document.body.append(carrier);
      carrier.submit();
    }

    const named = (name) => [...form.querySelectorAll(`[name="${CSS.escape(name)}"]`)];

    function restore(draft) {
      const names = new Set(draft.fields.map(([name]) => name));
      if ([...names].some((name) => named(name).length === 0)) return redraw(draft.fields);
      for (const input of form.querySelectorAll("[name]")) {
        if (["csrf", "action", "-section"].includes(input.name) || input.type === "file") continue;
        const values = draft.fields.filter(([name]) => name === input.name).map(([, value]) => value);
        if (input.type === "checkbox" || input.type === "radio") input.checked = values.includes(input.value);
        else if (values.length > 0) [input.value] = values;
      }
      seen.value = draft.seen;
      document.dispatchEvent(new Event("drawn"));
      dirty += 1;
      say(words.restored, draft.at);
      return undefined;
    }

    const same = (draft) => JSON.stringify(draft.fields.filter(([name]) => name !== "-seen"))
      === JSON.stringify(typed().filter(([name]) => name !== "-seen"));

    function begin() {
      const draft = stored.read(key);
      if ("redrawn" in form.dataset) {
        if (draft) say(words.restored, draft.at);
        dirty += 1;
        local();
        return void later(0);
      }
      if (!draft) return;
      const newer = draft.change !== form.dataset.change;
      if ("refused" in form.dataset || same(draft) || (newer && draft.sent)) return void stored.forget(key);
      if (newer) return void choose(form.dataset.savedAt, draft.at, draft);
      restore(draft);
      later(0);
    }

    choice.addEventListener("click", (event) => {
      const take = event.target.closest("[data-take]")?.dataset.take;
      if (!take) return;
      choice.hidden = true;
      if (take === "server") {
        stored.forget(key);
        document.dispatchEvent(new Event("kept"));
        location.reload();
        return;
      }
      if (conflict !== "merge") restore(conflict);
      dirty += 1;
      running = save(true);
    });

    form.addEventListener("input", touched);
    form.addEventListener("change", (event) => { if (event.target.type !== "file") later(0); });
    form.addEventListener("focusout", () => { if (dirty) later(0); });
    form.addEventListener("click", (event) => {
      if (event.target.closest("button[name=action][value^='add:'], button[name=action][value^='remove:']"))
        setTimeout(touched);
    });
    /* The reply to a save under way names the version that this page goes on from: sent
       before it, the page would be in conflict with itself. */
    form.addEventListener("submit", (event) => {
      clearTimeout(timer);
      if (leaving) return void event.preventDefault();
      if (busy) {
        event.preventDefault();
        leaving = true;
        const { submitter } = event;
        const patience = new Promise((resolve) => { setTimeout(resolve, PATIENCE); });
        Promise.race([running, patience]).then(() => {
          leaving = busy = false;
          form.requestSubmit(submitter);
        });
        return undefined;
      }
      over = true;
      if (dirty) local({ sent: true });
      return undefined;
    });
    window.addEventListener("online", () => later(0));
    window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
    begin();
  }

  function guardSession() {
    const box = document.getElementById("session-end");
    if (!box?.dataset.ends) return;
    let ends = Date.parse(box.dataset.ends);
    const look = () => {
      const near = ends - Date.now() < WARN;
      if (near && box.hidden) {
        const time = box.querySelector("[data-until]");
        time.dateTime = new Date(ends).toISOString();
        time.textContent = clock(ends);
      }
      box.hidden = !near;
    };
    const moved = (at) => { ends = Date.parse(at); look(); };
    document.addEventListener("session", (event) => moved(event.detail));
    box.querySelector("button").addEventListener("click", async () => {
      try {
        const body = new URLSearchParams({ csrf: form.elements.csrf.value });
        const reply = await fetch("/my/session", { method: "POST", body });
        if (reply.ok) moved((await reply.json()).ends);
      } catch { /* the button stays */ }
    });
    look();
    setInterval(look, 10000);
  }

  if (form) {
    watch();
    guardSession();
  }
}
