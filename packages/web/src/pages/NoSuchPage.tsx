import { linkTo, route } from "../state/route.ts";
import { useValue } from "../state/value.ts";

export function NoSuchPage() {
  const place = useValue(route);
  return (
    <main class="detail">
      <h1>No such page</h1>
      <p>
        There is nothing at <code>{linkTo(...place)}</code>. <a href={linkTo()}>Go to the overview</a>
      </p>
    </main>
  );
}
