import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from "@mantine/core";

/** The green of the mark. The only accent: red, amber and blue are for what they mean. */
const moss: MantineColorsTuple = [
  "#eff5f0",
  "#dfeae2",
  "#c0d6c7",
  "#a3c4ae",
  "#8fc0a0",
  "#6ea584",
  "#55906e",
  "#44785a",
  "#35523f",
  "#294031",
];
/** Warm, as the page is: the library's own greys are bluish. */
const gray: MantineColorsTuple = [
  "#faf8f3",
  "#f1ede4",
  "#eae5d9",
  "#e2dccd",
  "#d3ccbb",
  "#b5ad9b",
  "#8c8575",
  "#565145",
  "#3d3a33",
  "#2b2a27",
];
const stone: MantineColorsTuple = [
  "#ece9e0",
  "#c9c8bd",
  "#a9a99d",
  "#7d8577",
  "#4a5047",
  "#343931",
  "#2a2f28",
  "#1f221e",
  "#161815",
  "#10120f",
];

/**
 * Text on the accent. It is dark in one theme and light in the other, but the library looks
 * at one of them only.
 */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const isAccent = (input.color ?? input.theme.primaryColor) === "moss";
  return isAccent && input.variant === "filled"
    ? { ...colors, color: "var(--gk-on-accent)" }
    : colors;
};

export const theme = createTheme({
  primaryColor: "moss",
  primaryShade: { light: 8, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  variantColorResolver,
  colors: { moss, gray, dark: stone },
  white: "#fffdf8",
  black: "#2b2a27",
  defaultRadius: "md",
  fontFamily:
    "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Noto Sans Mono', monospace",
  headings: {
    fontWeight: "650",
    sizes: { h1: { fontSize: "1.5rem" }, h2: { fontSize: "1.125rem" }, h3: { fontSize: "1rem" } },
  },
  respectReducedMotion: true,
  components: {
    // Capitals shout, and roles are spelled as they are elsewhere.
    Badge: { defaultProps: { tt: "none" } },
    // Only with a variant does the library ask for the color of the text on a checked chip.
    Chip: { defaultProps: { variant: "filled" } },
    // The library heads a dialog with a <header>, which would be a second banner of the page.
    Drawer: { defaultProps: { attributes: { header: { role: "presentation" } } } },
    // The library puts a focusable element without a role into the menu, which has items only; the
    // first item gets the focus instead.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { attributes: { header: { role: "presentation" } } } },
  },
});

/** A card lies on the page, a little lighter; quiet text keeps a contrast of 4.5 on both. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#fffdf8",
    "--mantine-color-dimmed": "#635e52",
    "--mantine-color-default-border": "#e2dccd",
    "--mantine-color-error": "#a3261d",
    "--mantine-color-placeholder": "#6f6a5d",
    "--gk-on-accent": "#fffdf8",
    "--gk-page": "#f4f1ea",
    "--gk-sunken": "#f4f1ea",
    "--gk-gain": "#2b6a45",
    "--gk-loss": "#a3261d",
    "--gk-changed": "#8a5a00",
  },
  dark: {
    "--mantine-color-body": "#1f221e",
    "--mantine-color-dimmed": "#a9a99d",
    "--mantine-color-default-border": "#343931",
    "--mantine-color-error": "#ff9d8f",
    "--mantine-color-placeholder": "#95958a",
    "--gk-on-accent": "#10120f",
    "--gk-page": "#161815",
    "--gk-sunken": "#161815",
    "--gk-gain": "#8fd0a6",
    "--gk-loss": "#ff9d8f",
    "--gk-changed": "#f0c674",
  },
});
