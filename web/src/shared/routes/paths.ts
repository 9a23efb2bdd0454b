export { paths } from '@/api/generated/paths';
