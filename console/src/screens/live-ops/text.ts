export const text = {
  title: "Live ops",
  tabsLabel: "Live ops",
  by: "by",
};
