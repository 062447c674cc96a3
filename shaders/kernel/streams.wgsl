// Saves and restores the state of a random stream between two time slices.
// Provides: STREAM_WORDS, stream_save, stream_restore.
// Expects:
//   kernel/bindings.wgsl: path_state, slice

// Words of the state of one stream.
const STREAM_WORDS = 4u;

// Saves a stream of path number `local` of the dispatch, from word `word` on. As integers: some words would be NaN as floats.
fn stream_save(word: u32, local: u32, stream: vec4<u32>) {
  let at = word * slice.path_count + local;
  path_state[at] = stream.x;
  path_state[at + slice.path_count] = stream.y;
  path_state[at + 2u * slice.path_count] = stream.z;
  path_state[at + 3u * slice.path_count] = stream.w;
}

// Restores what stream_save saved.
fn stream_restore(word: u32, local: u32) -> vec4<u32> {
  let at = word * slice.path_count + local;
  return vec4(
    path_state[at],
    path_state[at + slice.path_count],
    path_state[at + 2u * slice.path_count],
    path_state[at + 3u * slice.path_count],
  );
}
