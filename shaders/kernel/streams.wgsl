// Saves and restores the state of a random stream between two time slices.
// Provides: STREAM_WORDS, stream_save, stream_restore.
// Expects:
//   kernel/bindings.wgsl: path_state, slice
//   lib/draw.wgsl: DrawStream

// Words of the state of one stream.
const STREAM_WORDS = 5u;

// Saves a stream of path number `local` of the dispatch, from word `word` on. As integers: some words would be NaN as floats.
fn stream_save(word: u32, local: u32, stream: DrawStream) {
  let at = word * slice.path_count + local;
  path_state[at] = stream.words.x;
  path_state[at + slice.path_count] = stream.words.y;
  path_state[at + 2u * slice.path_count] = stream.words.z;
  path_state[at + 3u * slice.path_count] = stream.words.w;
  path_state[at + 4u * slice.path_count] = stream.block_step;
}

// Restores what stream_save saved.
fn stream_restore(word: u32, local: u32) -> DrawStream {
  let at = word * slice.path_count + local;
  return DrawStream(
    vec4(
      path_state[at],
      path_state[at + slice.path_count],
      path_state[at + 2u * slice.path_count],
      path_state[at + 3u * slice.path_count],
    ),
    path_state[at + 4u * slice.path_count],
  );
}
