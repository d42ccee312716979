/* A photo is cropped before it is sent: a square over it, moved by pointer, keys or
 * sliders. Only the wanted part is said (fractions of the upright picture); the server
 * crops. Without this script it shows the middle. */
{
  const LARGEST = 10 * 1024 * 1024;
  const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

  for (const field of document.querySelectorAll("[data-photo]")) {
    if (field.dataset.ready) continue;
    field.dataset.ready = "yes";
    const file = field.querySelector("input[type=file]");
    const crop = field.querySelector("input[name$='.crop']");
    const remove = field.querySelector("input[type=checkbox]");
    const tool = field.querySelector(".crop");
    const words = tool.querySelector(".msg");
    const stage = tool.querySelector(".crop-stage");
    const frame = tool.querySelector(".crop-frame");
    const canvas = tool.querySelector("canvas");
    const [zoom, across, down] = tool.querySelectorAll("input[type=range]");
    let picture = null;
    let square = null; // {x, y, side} in pixels of the picture

    const least = () => Math.min(picture.width, picture.height);
    /* The smallest part: what still fills the larger size, or a quarter. */
    const smallest = () => Math.min(least(), Math.max(96, least() / 4));

    function draw() {
      const side = canvas.width;
      const context = canvas.getContext("2d");
      context.fillStyle = "#fff"; // as the server puts behind what is see-through
      context.fillRect(0, 0, side, side);
      context.drawImage(picture, square.x, square.y, square.side, square.side, 0, 0, side, side);
      const { width, height } = picture;
      crop.value = [square.x / width, square.y / height, square.side / width, square.side / height]
        .map((value) => value.toFixed(6)).join(" ");
      zoom.value = least() === smallest() ? 0 : 100 * (least() - square.side) / (least() - smallest());
      across.value = width > square.side ? 100 * square.x / (width - square.side) : 50;
      down.value = height > square.side ? 100 * square.y / (height - square.side) : 50;
    }

    function place(x, y, side = square.side) {
      side = clamp(side, smallest(), least());
      square = { side, x: clamp(x, 0, picture.width - side), y: clamp(y, 0, picture.height - side) };
      draw();
    }

    /* Larger or smaller round the middle. */
    function scale(side) {
      side = clamp(side, smallest(), least());
      const shift = (square.side - side) / 2;
      place(square.x + shift, square.y + shift, side);
    }

    function forget() {
      picture?.close?.();
      picture = null;
      crop.value = "";
      tool.hidden = true;
    }

    function say(text) {
      words.textContent = text;
      words.hidden = !text;
      stage.hidden = Boolean(text);
      tool.hidden = false;
    }

    file.addEventListener("change", async () => {
      const chosen = file.files[0];
      forget();
      if (!chosen) return;
      if (remove) remove.checked = false;
      if (chosen.size > LARGEST) {
        file.value = "";
        say(tool.dataset.wordsLarge);
        file.focus();
        return;
      }
      try {
        picture = await createImageBitmap(chosen, { imageOrientation: "from-image" });
      } catch {
        if (file.files[0] === chosen) say(tool.dataset.wordsUnreadable);
        return;
      }
      if (file.files[0] !== chosen) return;
      say("");
      const side = least();
      square = { side, x: 0, y: 0 };
      place((picture.width - side) / 2, (picture.height - side) / 2, side);
    });

    tool.querySelector("[data-forget]").addEventListener("click", () => {
      file.value = "";
      forget();
      file.focus();
    });

    const points = new Map();
    const spread = () => {
      const [a, b] = [...points.values()];
      return Math.hypot(a.x - b.x, a.y - b.y);
    };
    frame.addEventListener("pointerdown", (event) => {
      if (!picture) return;
      frame.setPointerCapture(event.pointerId);
      points.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    frame.addEventListener("pointermove", (event) => {
      const before = points.get(event.pointerId);
      if (!before || !picture) return;
      const apart = points.size === 2 ? spread() : 0;
      points.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (apart) {
        scale(square.side * apart / Math.max(spread(), 1));
        return;
      }
      const unit = square.side / frame.clientWidth;
      place(square.x - (event.clientX - before.x) * unit, square.y - (event.clientY - before.y) * unit);
    });
    for (const name of ["pointerup", "pointercancel"])
      frame.addEventListener(name, (event) => points.delete(event.pointerId));

    frame.addEventListener("keydown", (event) => {
      if (!picture || event.altKey || event.ctrlKey || event.metaKey) return;
      const step = square.side / (event.shiftKey ? 5 : 20);
      const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
      if (moves[event.key]) place(square.x + moves[event.key][0], square.y + moves[event.key][1]);
      else if (event.key === "+" || event.key === "=") scale(square.side / 1.1);
      else if (event.key === "-") scale(square.side * 1.1);
      else return;
      event.preventDefault();
    });
    zoom.addEventListener("input", () => scale(least() - zoom.value / 100 * (least() - smallest())));
    across.addEventListener("input", () => place(across.value / 100 * (picture.width - square.side), square.y));
    down.addEventListener("input", () => place(square.x, down.value / 100 * (picture.height - square.side)));

    remove?.addEventListener("change", () => {
      if (!remove.checked) return;
      file.value = "";
      forget();
    });
  }
}
