// What the app puts around every page, for tests of what is below it.
export { ModalHost } from '@/app/modals';
export { Providers, queryClient } from '@/app/providers';
