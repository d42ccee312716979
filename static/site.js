/* Copying to the clipboard, where scripts run: a hidden <button data-copy="id"
 * data-done="words"> appears and copies the text of that element. Everything works without. */
for (const button of document.querySelectorAll("button[data-copy]")) {
  const source = document.getElementById(button.dataset.copy);
  if (!source || !navigator.clipboard) continue;
  button.hidden = false;
  const words = button.textContent;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText("value" in source ? source.value : source.textContent);
      button.textContent = button.dataset.done;
      setTimeout(() => { button.textContent = words; }, 3000);
    } catch {
      const range = document.createRange();
      range.selectNodeContents(source);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
    }
  });
}

/* The same for <button data-copy-from="address">: what stands at that address. */
for (const button of document.querySelectorAll("button[data-copy-from]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  const words = [...button.childNodes];
  button.addEventListener("click", async () => {
    try {
      const answer = await fetch(button.dataset.copyFrom);
      if (!answer.ok) throw new Error(answer.statusText);
      await navigator.clipboard.writeText(await answer.text());
      button.textContent = button.dataset.done;
      setTimeout(() => { button.replaceChildren(...words); }, 3000);
    } catch {
      location.href = button.dataset.copyFrom;
    }
  });
}
