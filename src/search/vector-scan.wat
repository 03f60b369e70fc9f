;; Compares one query with many vectors: whole, sixty-four dimensions at a step, or by the signs of their numbers.
;; Built into vector-scan-wasm.ts by `bun model/build-wasm.ts`.
(module
  (import "host" "memory" (memory 1 65536))

  ;; For each of `count` vectors of `dimensions` signed bytes (a multiple of 64) at $vectors, the dot product with the
  ;; query (signed 16-bit numbers at $query), times the vector's factor (f32 at $factors). Scores of at least $floor
  ;; are written to $scores (f32) and their positions to $positions (i32); returns how many.
  (func (export "scan")
    (param $query i32) (param $vectors i32) (param $factors i32) (param $count i32) (param $dimensions i32)
    (param $floor f32) (param $positions i32) (param $scores i32) (result i32)
    (local $position i32) (local $found i32) (local $end i32) (local $q i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $score f32)
    (if (i32.eqz (local.get $count)) (then (return (i32.const 0))))
    (loop $documents
      (local.set $a (v128.const i32x4 0 0 0 0))
      (local.set $b (v128.const i32x4 0 0 0 0))
      (local.set $c (v128.const i32x4 0 0 0 0))
      (local.set $d (v128.const i32x4 0 0 0 0))
      (local.set $end (i32.add (local.get $vectors) (local.get $dimensions)))
      (local.set $q (local.get $query))
      (loop $steps
        (local.set $a (i32x4.add (local.get $a)
          (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $vectors)) (v128.load (local.get $q)))))
        (local.set $b (i32x4.add (local.get $b)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $vectors)) (v128.load offset=16 (local.get $q)))))
        (local.set $c (i32x4.add (local.get $c)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=16 (local.get $vectors)) (v128.load offset=32 (local.get $q)))))
        (local.set $d (i32x4.add (local.get $d)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=24 (local.get $vectors)) (v128.load offset=48 (local.get $q)))))
        (local.set $a (i32x4.add (local.get $a)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=32 (local.get $vectors)) (v128.load offset=64 (local.get $q)))))
        (local.set $b (i32x4.add (local.get $b)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=40 (local.get $vectors)) (v128.load offset=80 (local.get $q)))))
        (local.set $c (i32x4.add (local.get $c)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=48 (local.get $vectors)) (v128.load offset=96 (local.get $q)))))
        (local.set $d (i32x4.add (local.get $d)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=56 (local.get $vectors)) (v128.load offset=112 (local.get $q)))))
        (local.set $vectors (i32.add (local.get $vectors) (i32.const 64)))
        (local.set $q (i32.add (local.get $q) (i32.const 128)))
        (br_if $steps (i32.lt_u (local.get $vectors) (local.get $end))))
      (local.set $a (i32x4.add
        (i32x4.add (local.get $a) (local.get $b))
        (i32x4.add (local.get $c) (local.get $d))))
      (local.set $a (i32x4.add (local.get $a)
        (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $a) (local.get $a))))
      (local.set $score (f32.mul
        (f32.load (local.get $factors))
        (f32.convert_i32_s (i32.add
          (i32x4.extract_lane 0 (local.get $a))
          (i32x4.extract_lane 1 (local.get $a))))))
      (if (f32.ge (local.get $score) (local.get $floor))
        (then
          (i32.store (i32.add (local.get $positions) (i32.shl (local.get $found) (i32.const 2))) (local.get $position))
          (f32.store (i32.add (local.get $scores) (i32.shl (local.get $found) (i32.const 2))) (local.get $score))
          (local.set $found (i32.add (local.get $found) (i32.const 1)))))
      (local.set $factors (i32.add (local.get $factors) (i32.const 4)))
      (local.set $position (i32.add (local.get $position) (i32.const 1)))
      (br_if $documents (i32.lt_u (local.get $position) (local.get $count))))
    (local.get $found))

  ;; The place of the highest of `count` scores (f32, at least one; up to three after them are read too and must not be
  ;; higher than all), the first of equals; -1 where all are infinitely low, which the one that is returned becomes.
  ;; What it was is written to $taken (f32).
  (func (export "takeHighest") (param $scores i32) (param $count i32) (param $taken i32) (result i32)
    (local $at i32) (local $end i32) (local $highest v128) (local $here i32)
    (local.set $end (i32.add (local.get $scores) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $at (local.get $scores))
    (local.set $highest (f32x4.splat (f32.const -inf)))
    (loop $steps
      (local.set $highest (f32x4.pmax (local.get $highest) (v128.load (local.get $at))))
      (br_if $steps (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
    (local.set $highest (f32x4.pmax (local.get $highest)
      (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $highest) (local.get $highest))))
    (local.set $highest (f32x4.pmax (local.get $highest)
      (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $highest) (local.get $highest))))
    (if (f32.eq (f32x4.extract_lane 0 (local.get $highest)) (f32.const -inf)) (then (return (i32.const -1))))
    (f32.store (local.get $taken) (f32x4.extract_lane 0 (local.get $highest)))
    (local.set $at (i32.sub (local.get $scores) (i32.const 16)))
    (loop $steps
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $steps (i32.eqz (local.tee $here
        (i32x4.bitmask (f32x4.eq (local.get $highest) (v128.load (local.get $at))))))))
    (local.set $at (i32.add (local.get $at) (i32.shl (i32.ctz (local.get $here)) (i32.const 2))))
    (f32.store (local.get $at) (f32.const -inf))
    (i32.shr_u (i32.sub (local.get $at) (local.get $scores)) (i32.const 2)))

  ;; `dimensions` signed bytes (a multiple of 8) at $levels as signed 16-bit numbers, to $query.
  (func (export "widen") (param $levels i32) (param $dimensions i32) (param $query i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $levels) (local.get $dimensions)))
    (loop $steps
      (v128.store (local.get $query) (v128.load8x8_s (local.get $levels)))
      (local.set $query (i32.add (local.get $query) (i32.const 16)))
      (local.set $levels (i32.add (local.get $levels) (i32.const 8)))
      (br_if $steps (i32.lt_u (local.get $levels) (local.get $end)))))

  ;; The signs of `dimensions` signed bytes at $vector, one bit each, to $sketch.
  (func (export "sketch") (param $vector i32) (param $dimensions i32) (param $sketch i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $vector) (local.get $dimensions)))
    (loop $steps
      (i32.store16 (local.get $sketch)
        (i8x16.bitmask (i8x16.gt_s (v128.load (local.get $vector)) (v128.const i32x4 0 0 0 0))))
      (local.set $sketch (i32.add (local.get $sketch) (i32.const 2)))
      (local.set $vector (i32.add (local.get $vector) (i32.const 16)))
      (br_if $steps (i32.lt_u (local.get $vector) (local.get $end)))))

  ;; The runs that are compared by signs are told in a table of four i32 each: where their sketches, their vectors and
  ;; their factors begin, and how many they hold (1 to 64). The distances of the nth run begin at 64 · n.

  ;; For each sketch of `bytes` bytes (a multiple of 8) in the `count` runs (at least one) of the table, in how many bits
  ;; it differs from that at $query: to $distances (one byte each); $counts (i32) holds how often each distance came.
  ;; What the model has, three words a sketch, is compared with the query held in registers.
  (func (export "distances")
    (param $query i32) (param $table i32) (param $count i32) (param $bytes i32) (param $distances i32) (param $counts i32)
    (local $q i32) (local $sketches i32) (local $end i32) (local $left i32) (local $to i32)
    (local $bits i64) (local $distance i32) (local $isThree i32) (local $q0 i64) (local $q1 i64) (local $q2 i64)
    (local.set $isThree (i32.eq (local.get $bytes) (i32.const 24)))
    (local.set $q0 (i64.load (local.get $query)))
    (if (local.get $isThree) (then
      (local.set $q1 (i64.load offset=8 (local.get $query)))
      (local.set $q2 (i64.load offset=16 (local.get $query)))))
    (loop $runs
      (local.set $sketches (i32.load (local.get $table)))
      (local.set $left (i32.load offset=12 (local.get $table)))
      (local.set $to (local.get $distances))
      (loop $each
        (if (local.get $isThree)
          (then
            (local.set $bits (i64.add
              (i64.add
                (i64.popcnt (i64.xor (i64.load (local.get $sketches)) (local.get $q0)))
                (i64.popcnt (i64.xor (i64.load offset=8 (local.get $sketches)) (local.get $q1))))
              (i64.popcnt (i64.xor (i64.load offset=16 (local.get $sketches)) (local.get $q2)))))
            (local.set $sketches (i32.add (local.get $sketches) (i32.const 24))))
          (else
            (local.set $bits (i64.const 0))
            (local.set $q (local.get $query))
            (local.set $end (i32.add (local.get $sketches) (local.get $bytes)))
            (loop $words
              (local.set $bits (i64.add (local.get $bits)
                (i64.popcnt (i64.xor (i64.load (local.get $sketches)) (i64.load (local.get $q))))))
              (local.set $sketches (i32.add (local.get $sketches) (i32.const 8)))
              (local.set $q (i32.add (local.get $q) (i32.const 8)))
              (br_if $words (i32.lt_u (local.get $sketches) (local.get $end))))))
        (local.set $distance (i32.wrap_i64 (local.get $bits)))
        (i32.store8 (local.get $to) (local.get $distance))
        (local.set $distance (i32.add (local.get $counts) (i32.shl (local.get $distance) (i32.const 2))))
        (i32.store (local.get $distance) (i32.add (i32.load (local.get $distance)) (i32.const 1)))
        (local.set $to (i32.add (local.get $to) (i32.const 1)))
        (br_if $each (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
      (local.set $table (i32.add (local.get $table) (i32.const 16)))
      (local.set $distances (i32.add (local.get $distances) (i32.const 64)))
      (br_if $runs (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

  ;; Finds what differs in at most $cutoff bits in the `count` runs (at least one) of the table: writes places (64 · run +
  ;; position) and returns how many. There is no branch for each: most are left out, and which ones cannot be foretold.
  (func (export "select")
    (param $table i32) (param $count i32) (param $distances i32) (param $cutoff i32) (param $places i32) (result i32)
    (local $run i32) (local $found i32) (local $place i32) (local $last i32)
    (loop $runs
      (local.set $place (i32.shl (local.get $run) (i32.const 6)))
      (local.set $last (i32.add (local.get $place) (i32.load offset=12 (local.get $table))))
      (loop $each
        (i32.store (i32.add (local.get $places) (i32.shl (local.get $found) (i32.const 2))) (local.get $place))
        (local.set $found (i32.add (local.get $found)
          (i32.le_u (i32.load8_u (i32.add (local.get $distances) (local.get $place))) (local.get $cutoff))))
        (local.set $place (i32.add (local.get $place) (i32.const 1)))
        (br_if $each (i32.lt_u (local.get $place) (local.get $last))))
      (local.set $table (i32.add (local.get $table) (i32.const 16)))
      (br_if $runs (i32.lt_u (local.tee $run (i32.add (local.get $run) (i32.const 1))) (local.get $count))))
    (local.get $found))

  ;; Compares whole what lies at the `count` places (at least one) of the table, as scan does; writes scores (f32).
  ;; Nothing else is done between two vectors, so that several wait for memory at the same time.
  (func (export "compare")
    (param $query i32) (param $table i32) (param $places i32) (param $count i32) (param $dimensions i32) (param $scores i32)
    (local $i i32) (local $row i32) (local $place i32) (local $v i32) (local $q i32) (local $end i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (loop $vectors
      (local.set $place (i32.load (i32.add (local.get $places) (i32.shl (local.get $i) (i32.const 2)))))
      (local.set $row (i32.add (local.get $table) (i32.shl (i32.shr_u (local.get $place) (i32.const 6)) (i32.const 4))))
      (local.set $place (i32.and (local.get $place) (i32.const 63)))
      (local.set $v (i32.add (i32.load offset=4 (local.get $row))
        (i32.mul (local.get $place) (local.get $dimensions))))
      (local.set $end (i32.add (local.get $v) (local.get $dimensions)))
      (local.set $q (local.get $query))
      (local.set $a (v128.const i32x4 0 0 0 0))
      (local.set $b (v128.const i32x4 0 0 0 0))
      (local.set $c (v128.const i32x4 0 0 0 0))
      (local.set $d (v128.const i32x4 0 0 0 0))
      (loop $steps
        (local.set $a (i32x4.add (local.get $a)
          (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $v)) (v128.load (local.get $q)))))
        (local.set $b (i32x4.add (local.get $b)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $v)) (v128.load offset=16 (local.get $q)))))
        (local.set $c (i32x4.add (local.get $c)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=16 (local.get $v)) (v128.load offset=32 (local.get $q)))))
        (local.set $d (i32x4.add (local.get $d)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=24 (local.get $v)) (v128.load offset=48 (local.get $q)))))
        (local.set $a (i32x4.add (local.get $a)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=32 (local.get $v)) (v128.load offset=64 (local.get $q)))))
        (local.set $b (i32x4.add (local.get $b)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=40 (local.get $v)) (v128.load offset=80 (local.get $q)))))
        (local.set $c (i32x4.add (local.get $c)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=48 (local.get $v)) (v128.load offset=96 (local.get $q)))))
        (local.set $d (i32x4.add (local.get $d)
          (i32x4.dot_i16x8_s (v128.load8x8_s offset=56 (local.get $v)) (v128.load offset=112 (local.get $q)))))
        (local.set $v (i32.add (local.get $v) (i32.const 64)))
        (local.set $q (i32.add (local.get $q) (i32.const 128)))
        (br_if $steps (i32.lt_u (local.get $v) (local.get $end))))
      (local.set $a (i32x4.add
        (i32x4.add (local.get $a) (local.get $b))
        (i32x4.add (local.get $c) (local.get $d))))
      (local.set $a (i32x4.add (local.get $a)
        (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $a) (local.get $a))))
      (f32.store (i32.add (local.get $scores) (i32.shl (local.get $i) (i32.const 2)))
        (f32.mul
          (f32.load (i32.add (i32.load offset=8 (local.get $row)) (i32.shl (local.get $place) (i32.const 2))))
          (f32.convert_i32_s (i32.add
            (i32x4.extract_lane 0 (local.get $a))
            (i32x4.extract_lane 1 (local.get $a))))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $vectors (i32.lt_u (local.get $i) (local.get $count))))))
