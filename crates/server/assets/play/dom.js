/** Small helpers to build a page without a framework. */

/**
 * Makes an element: `h("button", {class: "big", onclick: fire}, "Fire")`. Functions become listeners, `true` an empty
 * attribute, `null` and `false` none. `style` takes custom properties, since the page forbids inline styles.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...any} children elements, text, numbers, lists of these; null and false are left out
 * @returns {any}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "style") {
      for (const [property, set] of Object.entries(value)) element.style.setProperty(property, String(set));
    } else if (typeof value === "function") {
      element.addEventListener(name.slice(2), value);
    } else if (name in element && (name === "value" || name === "checked" || name === "disabled")) {
      /** @type {any} */ (element)[name] = value;
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * Puts new content in an element. What had the focus and stands there again, by its id, has it still.
 * @param {Element} parent @param {...any} children
 */
export function fill(parent, ...children) {
  const focused = parent.contains(document.activeElement) ? document.activeElement?.id : "";
  parent.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** Words in the site's own lettering, which the page brings along for its headings. @param {string} words @returns {Node | string} */
export function lettering(words) {
  const template = /** @type {HTMLTemplateElement | null} */ (document.querySelector(`template[data-words="${words}"]`));
  return template ? template.content.cloneNode(true) : words;
}

/** Says something to those who hear the page. @param {string} text */
export function announce(text) {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}

/** A share as whole percents. @param {number} share */
export const percent = (share) => `${Math.round(share * 100)} %`;

/** A figure for people: three digits or so. @param {number} value */
export function figure(value) {
  if (value === 0) return "0";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

/** A points figure with separators. @param {number} value */
export const points = (value) => value.toLocaleString("en");
