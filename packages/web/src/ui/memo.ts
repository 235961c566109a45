import { Component, type ComponentChildren, type FunctionComponent, h } from "preact";

/** A component that is redrawn only when a property changed. */
export function memo<Props extends object>(draw: (props: Props) => ComponentChildren): FunctionComponent<Props> {
  const inner = draw as FunctionComponent<Props>;
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      return !isSame(this.props, next);
    }
    override render() {
      return h(inner, this.props as Props);
    }
  } as unknown as FunctionComponent<Props>;
}

/** One level deep, and rows one level more: their parts are the same objects while nothing has changed. */
function isSame(a: object, b: object, depth = 1): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => {
    const [one, other] = [Reflect.get(a, key), Reflect.get(b, key)] as readonly unknown[];
    if (Object.is(one, other)) return true;
    return depth > 0 && isPlain(one) && isPlain(other) && isSame(one, other, depth - 1);
  });
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
