import { useState } from "react";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const COOKIE = "glovebox-theme";
const ONE_YEAR = 365 * 86_400;
const root = document.documentElement;

const currentTheme = (): Theme =>
  THEMES.find((theme) => theme !== "system" && root.classList.contains(`theme-${theme}`)) ?? "system";

/** The theme, kept in a cookie: the server writes it as a class into the page, so that no other one is ever shown first. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(currentTheme);
  const choose = (chosen: Theme): void => {
    const age = chosen === "system" ? 0 : ONE_YEAR;
    document.cookie = `${COOKIE}=${chosen}; Path=/; Max-Age=${age}; SameSite=Strict`;
    root.classList.remove("theme-light", "theme-dark");
    if (chosen !== "system") root.classList.add(`theme-${chosen}`);
    setTheme(chosen);
  };
  return [theme, choose];
}
