// The groups' colors, for style rules and for the map, on light pages and on dark ones.

const HEX = /^#[0-9a-f]{6}$/i;
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets.push(sheet);
const darkness = matchMedia("(prefers-color-scheme: dark)");

export const rgb = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

const luminance = (color) => {
  const [red, green, blue] = rgb(color).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const on = (color) => (1.05 / (luminance(color) + 0.05) >= (luminance(color) + 0.05) / 0.05 ? "#ffffff" : "#000000");
const known = (color, otherwise) => (HEX.test(color) ? color : otherwise);
const rule = (color, index) => `.g${index}{--hue:${color};--on:${on(color)}}`;

export const paint = (groups) => {
  const light = groups.map((group, index) => rule(known(group.color.light, "#565b64"), index));
  const dark = groups.map((group, index) => rule(known(group.color.dark, "#a9aeb6"), index));
  sheet.replaceSync(`${light.join("")}@media (prefers-color-scheme: dark){${dark.join("")}}`);
};

export const isDark = () => darkness.matches;
export const whenDarknessChanges = (listener) => darkness.addEventListener("change", listener);
export const mapColors = (groups) => groups.map((group) => rgb(known(isDark() ? group.color.dark : group.color.light, "#808080")));
