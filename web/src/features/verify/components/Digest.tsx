import { twoLines } from '../model';
import classes from './verify.module.css';

/** A digest in two lines, to be compared with the printed one. */
export function Digest({ hex }: { hex: string }) {
  const [first, second] = twoLines(hex);
  return (
    <code className={classes.digest}>
      {first}
      <wbr />
      {second}
    </code>
  );
}
