// Streams of draws in the state of a path that is put down between two time slices.
// Provides: STREAM_WORDS, stream_put, stream_take. Expects: path_state, slice, DrawStream.

// Words of the state of one stream.
const STREAM_WORDS = 5u;

// Puts down a stream of the dispatch's path number `local`, from word `word` on. As integers: some words are no numbers.
fn stream_put(word: u32, local: u32, stream: DrawStream) {
  let at = word * slice.path_count + local;
  path_state[at] = stream.words.x;
  path_state[at + slice.path_count] = stream.words.y;
  path_state[at + 2u * slice.path_count] = stream.words.z;
  path_state[at + 3u * slice.path_count] = stream.words.w;
  path_state[at + 4u * slice.path_count] = stream.block_step;
}

// Takes up what stream_put has put down.
fn stream_take(word: u32, local: u32) -> DrawStream {
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
