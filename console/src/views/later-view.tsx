/** A view whose program is fetched when it is opened. */
import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';

export function LaterView({ load }: { load(): Promise<ComponentType> }) {
  // In an object: a signal of a function would be called.
  const found = useSignal<{ readonly View: ComponentType } | undefined>(undefined);
  const failed = useSignal('');
  useEffect(() => {
    load().then(
      View => {
        found.value = { View };
      },
      () => {
        failed.value = 'This part of the page cannot be fetched. Load the page again.';
      },
    );
  }, []);
  if (found.value === undefined) return <p class="waiting">{failed.value || 'Loading.'}</p>;
  const { View } = found.value;
  return <View />;
}
