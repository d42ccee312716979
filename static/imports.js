// While something is being looked up, the page is read again until nothing waits; what was
// chosen meanwhile is not lost, for the page is then left alone.
(() => {
  "use strict";
  const form = document.querySelector("form[action^='/my/imports/']");
  let touched = false;
  form.addEventListener("change", () => { touched = true; });
  const timer = setInterval(() => {
    if (touched) clearInterval(timer);
    else if (!document.hidden) location.reload();
  }, 4000);
})();
