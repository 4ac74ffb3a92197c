import { settingsPage } from "@glovebox/cli";
import { canarySettingRows, controllerSettingRows } from "@glovebox/controller";

/** docs/settings.md: the settings of every program, each from the table that it is parsed with. */
export const settingsDocument = (): string =>
  settingsPage([
    { title: "The controller", rows: controllerSettingRows() },
    { title: "The canary", rows: canarySettingRows() },
  ]);
