import { PickFiles } from "./PickFiles.tsx";

interface PickedFilesProps {
  readonly files: readonly File[];
  readonly onChange: (files: readonly File[]) => void;
}

/** Pictures and files for a task that there is not yet: they are handed over with it. */
export function PickedFiles({ files, onChange }: PickedFilesProps) {
  const known = new Set(files.map(keyOf));
  return (
    <section class="picked" aria-label="attached files">
      <PickFiles
        busy={false}
        onPicked={(more) => onChange([...files, ...more.filter((one) => !known.has(keyOf(one)))])}
      />
      {files.length > 0 && (
        <ul>
          {files.map((file) => (
            <li key={keyOf(file)}>
              {file.name}
              <button
                type="button"
                class="act"
                aria-label={`Leave out ${file.name}`}
                onClick={() => onChange(files.filter((one) => one !== file))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function keyOf({ name, size, lastModified }: File): string {
  return `${name} ${size} ${lastModified}`;
}
