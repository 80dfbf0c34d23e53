export const common = {
  retry: 'Try again',
  cancel: 'Cancel',
  save: 'Save',
  copy: 'Copy',
  copied: 'Copied',
  more: 'Show more',
  loading: 'Loading',
  skip: 'Skip to the content',
  menu: 'Menu',
  untitled: 'Untitled',
  unknown: 'Not known yet',
  openInNewTab: 'opens in a new tab',
}
