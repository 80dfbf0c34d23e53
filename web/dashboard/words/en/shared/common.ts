export const common = {
  retry: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  copy: 'Copy',
  copied: 'Copied',
  more: 'Show more',
  loading: 'Loading',
  skip: 'Skip to the content',
  menu: 'Menu',
  untitled: 'Untitled',
  unknown: 'Not known yet',
}
