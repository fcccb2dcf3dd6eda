// Numbers and times as texts.

// A time with as many decimals as show a thousandth of a real second, or of the run if it is shorter.
export function formatTime({ t, speed, begin, end, finished }) {
  const duration = (finished && end - begin) || Infinity;
  const digits = Math.min(Math.max(3 - Math.floor(Math.log10(Math.min(speed, duration))), 0), 12);
  return `${t.toFixed(digits)} s`;
}

// Four significant digits; what is as small as the rounding of numbers about 1, or of the largest that occurs, is 0.
export function formatNumber(value, largest = 0) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size < Math.max(1e-14, 1e-13 * largest)) return "0.000";
  return size >= 1e5 || size < 1e-4 ? value.toExponential(2) : value.toPrecision(4);
}

export function formatLimit(value, range) {
  if (Math.abs(value) <= 1e-9 * range) return "0";
  const digits = 2 + Math.ceil(Math.log10(Math.abs(value) / range)); // as many as tell both limits apart
  return String(Number(value.toPrecision(Math.min(Math.max(digits, 3), 9))));
}

export function formatCount(count) {
  return count.toLocaleString("en-US");
}

// Red, green and blue of "#rrggbb" mixed with a share of another colour.
export function mixColours(colour, tint, share) {
  if (!tint) return colour;
  const part = (text, i) => parseInt(text.slice(1 + 2 * i, 3 + 2 * i), 16);
  const mixed = [0, 1, 2].map((i) => Math.round((1 - share) * part(colour, i) + share * part(tint, i)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
