/** Said wherever services are added from an export document, which is not a complete copy. */
export const undescribedNotice = (count: number, remedy: string): string =>
  `Notice: an export document has no descriptions and no free quotas; ${count.toLocaleString('en')} new ` +
  `${count === 1 ? 'service has its name' : 'services have their names'} as description. ${remedy}`
