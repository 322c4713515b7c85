// Stands for what is being loaded, in its size, so that nothing jumps when it comes. Screen readers do not see it.
import './skeleton.css';

type Props = {
  /** `lines`: rows of a list. `tiles`: pictures beside each other. */
  readonly shape: 'lines' | 'tiles';
  readonly count: number;
};

export function Skeleton({ shape, count }: Props) {
  return (
    <div class={`skeleton ${shape}`} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <div key={index}>
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}
