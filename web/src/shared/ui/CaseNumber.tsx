import classes from './CaseNumber.module.css';

/** The number of a case in a list: never cut, a long one goes on in the next line. */
export const CaseNumber = ({ number }: { number: string | null | undefined }) =>
  number ? (
    <span className={`${classes.number} num`} data-whole>
      {number}
    </span>
  ) : (
    <>–</>
  );
