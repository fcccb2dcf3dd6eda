// The legend: what marks of contacts and arrows of forces mean, each with its colour and its shape.

const OUTLINES = { Arrow: "M7 14V5H4l3-5 3 5H7", Box: "M1 1h12v12H1z", Cone: "M1 1h12l-6 12z", Sphere: "M1 7a6 6 0 1 0 12 0 6 6 0 1 0-12 0" };
const MOST_ENTRIES = 8;

// What a family of bodies stands for: `stands3` is "stands", `foot_0_slips` is "slips", `leg_force` is "leg force".
function meaningOf(name) {
  const words = name.replace(/\d+/g, " ").split(/[_ ]+/).filter(Boolean);
  return /_\d+_/.test(name) ? words[words.length - 1] : words.join(" ");
}

function entriesOf(head) {
  const entries = new Map();
  for (const { name, colour, opacity, kind, shape } of head.bodies) {
    if (opacity > 0 && (kind === "force" || kind === "contact") && shape.type !== "Spring") {
      const meaning = meaningOf(name);
      if (!entries.has(meaning)) entries.set(meaning, { meaning, colour, shape: shape.type });
    }
  }
  return [...entries.values()].slice(0, MOST_ENTRIES);
}

function swatch({ colour, shape }) {
  const space = "http://www.w3.org/2000/svg", picture = document.createElementNS(space, "svg");
  picture.setAttribute("viewBox", "0 0 14 14");
  picture.setAttribute("aria-hidden", "true");
  const outline = picture.appendChild(document.createElementNS(space, "path"));
  outline.setAttribute("d", OUTLINES[shape] ?? OUTLINES.Sphere);
  outline.setAttribute("fill", colour);
  outline.setAttribute("stroke", colour);
  return picture;
}

export function drawLegend(list, head, lamps = [], charts = []) {
  const lines = entriesOf(head).map((entry) => {
    const line = document.createElement("li");
    line.append(swatch(entry), entry.meaning);
    return line;
  });
  const add = (text) => {
    const line = document.createElement("li");
    line.textContent = text;
    lines.push(line);
  };
  if (head.newtons !== null && head.bodies.some(({ kind, shape }) => kind === "force" && shape.type === "Arrow")) {
    const pushes = head.bodies.some(({ name }) => name === "push") ? ", but for a push" : "";
    add(`an arrow of 1 m${pushes}: ${Number(head.newtons.toPrecision(3))} N`);
  }
  lamps.forEach(add);
  for (const [name, shade] of charts) {
    const line = document.createElement("li");
    line.append(swatch({ colour: shade, shape: "Box" }), `in the band below the events: ${name}`);
    lines.push(line);
  }
  list.replaceChildren(...lines);
}
