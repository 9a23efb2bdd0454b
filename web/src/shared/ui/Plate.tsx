import classes from './ConferenceTags.module.css';

/** A number plate as it looks; a dash without one. */
export const Plate = ({ plate }: { plate: string | null | undefined }) =>
  plate ? (
    <span className={`${classes.plate} num`} data-whole>
      {plate}
    </span>
  ) : (
    <>–</>
  );
