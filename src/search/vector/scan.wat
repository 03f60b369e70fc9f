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

  ;; The signs of `dimensions` signed bytes (a multiple of 16) at $vector, one bit each: eight to a byte, the bytes to
  ;; $sketch and every 64 bytes after it, so that the same byte of 64 vectors lies side by side.
  (func (export "sketch") (param $vector i32) (param $dimensions i32) (param $sketch i32)
    (local $end i32) (local $signs i32)
    (local.set $end (i32.add (local.get $vector) (local.get $dimensions)))
    (loop $steps
      (local.set $signs (i8x16.bitmask (i8x16.gt_s (v128.load (local.get $vector)) (v128.const i32x4 0 0 0 0))))
      (i32.store8 (local.get $sketch) (local.get $signs))
      (i32.store8 offset=64 (local.get $sketch) (i32.shr_u (local.get $signs) (i32.const 8)))
      (local.set $sketch (i32.add (local.get $sketch) (i32.const 128)))
      (local.set $vector (i32.add (local.get $vector) (i32.const 16)))
      (br_if $steps (i32.lt_u (local.get $vector) (local.get $end)))))

  ;; What a query's numbers add up to for each combination of four signs: of every four of the `dimensions` signed bytes
  ;; at $levels, which must not exceed 63 together, sixteen sums (signed bytes) to $sums.
  (func (export "sumSigns") (param $levels i32) (param $dimensions i32) (param $sums i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $levels) (local.get $dimensions)))
    (loop $steps
      ;; Where a sign is missing the number is turned round: x ^ -1 is -x - 1, so four minus ones are taken back at the end.
      (v128.store (local.get $sums)
        (i8x16.add
          (i8x16.add
            (i8x16.add
              (v128.xor (v128.load8_splat (local.get $levels))
                (v128.const i8x16 -1 0 -1 0 -1 0 -1 0 -1 0 -1 0 -1 0 -1 0))
              (v128.xor (v128.load8_splat offset=1 (local.get $levels))
                (v128.const i8x16 -1 -1 0 0 -1 -1 0 0 -1 -1 0 0 -1 -1 0 0)))
            (i8x16.add
              (v128.xor (v128.load8_splat offset=2 (local.get $levels))
                (v128.const i8x16 -1 -1 -1 -1 0 0 0 0 -1 -1 -1 -1 0 0 0 0))
              (v128.xor (v128.load8_splat offset=3 (local.get $levels))
                (v128.const i8x16 -1 -1 -1 -1 -1 -1 -1 -1 0 0 0 0 0 0 0 0))))
          (v128.const i8x16 4 3 3 2 3 2 2 1 3 2 2 1 2 1 1 0)))
      (local.set $sums (i32.add (local.get $sums) (i32.const 16)))
      (local.set $levels (i32.add (local.get $levels) (i32.const 4)))
      (br_if $steps (i32.lt_u (local.get $levels) (local.get $end)))))

  ;; The runs that are compared by signs are told in a table of four i32 each: where their sketches, their vectors and
  ;; their factors begin, and how many they hold (1 to 64). What is told of the nth run begins at 64 · n.

  ;; How near each vector of the `count` runs (at least one) of the table seems by its signs: the sums (of sumSigns) that
  ;; its `bytes` bytes of signs choose, added up, a quarter of it, from 0 to 255: to $nearness (one byte each). $counts
  ;; (i32) holds how often each came. Thirty-two vectors are added up at a time.
  (func (export "judge")
    (param $sums i32) (param $table i32) (param $count i32) (param $bytes i32) (param $nearness i32) (param $counts i32)
    (local $sketch i32) (local $end i32) (local $sum i32) (local $half i32) (local $left i32) (local $at i32)
    (local $low v128) (local $high v128) (local $signs v128) (local $here v128) (local $mask v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $mask (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f))
    (loop $runs
      (local.set $left (i32.load offset=12 (local.get $table)))
      (local.set $half (i32.const 0))
      (loop $halves
        (local.set $sketch (i32.add (i32.load (local.get $table)) (local.get $half)))
        (local.set $end (i32.add (local.get $sketch) (i32.shl (local.get $bytes) (i32.const 6))))
        (local.set $sum (local.get $sums))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (loop $steps
          (local.set $low (v128.load (local.get $sum)))
          (local.set $high (v128.load offset=16 (local.get $sum)))
          (local.set $signs (v128.load (local.get $sketch)))
          (local.set $here (i8x16.add
            (i8x16.swizzle (local.get $low) (v128.and (local.get $signs) (local.get $mask)))
            (i8x16.swizzle (local.get $high)
              (v128.and (i16x8.shr_u (local.get $signs) (i32.const 4)) (local.get $mask)))))
          (local.set $a (i16x8.add (local.get $a) (i16x8.extend_low_i8x16_s (local.get $here))))
          (local.set $b (i16x8.add (local.get $b) (i16x8.extend_high_i8x16_s (local.get $here))))
          (local.set $signs (v128.load offset=16 (local.get $sketch)))
          (local.set $here (i8x16.add
            (i8x16.swizzle (local.get $low) (v128.and (local.get $signs) (local.get $mask)))
            (i8x16.swizzle (local.get $high)
              (v128.and (i16x8.shr_u (local.get $signs) (i32.const 4)) (local.get $mask)))))
          (local.set $c (i16x8.add (local.get $c) (i16x8.extend_low_i8x16_s (local.get $here))))
          (local.set $d (i16x8.add (local.get $d) (i16x8.extend_high_i8x16_s (local.get $here))))
          (local.set $sum (i32.add (local.get $sum) (i32.const 32)))
          (local.set $sketch (i32.add (local.get $sketch) (i32.const 64)))
          (br_if $steps (i32.lt_u (local.get $sketch) (local.get $end))))
        (v128.store (i32.add (local.get $nearness) (local.get $half))
          (i8x16.narrow_i16x8_u (i16x8.shr_s (local.get $a) (i32.const 2)) (i16x8.shr_s (local.get $b) (i32.const 2))))
        (v128.store offset=16 (i32.add (local.get $nearness) (local.get $half))
          (i8x16.narrow_i16x8_u (i16x8.shr_s (local.get $c) (i32.const 2)) (i16x8.shr_s (local.get $d) (i32.const 2))))
        (local.set $half (i32.add (local.get $half) (i32.const 32)))
        (br_if $halves (i32.lt_u (local.get $half) (local.get $left))))
      (local.set $at (local.get $nearness))
      (local.set $left (i32.add (local.get $nearness) (local.get $left)))
      (loop $each
        (local.set $sum (i32.add (local.get $counts) (i32.shl (i32.load8_u (local.get $at)) (i32.const 2))))
        (i32.store (local.get $sum) (i32.add (i32.load (local.get $sum)) (i32.const 1)))
        (br_if $each (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 1))) (local.get $left))))
      (local.set $table (i32.add (local.get $table) (i32.const 16)))
      (local.set $nearness (i32.add (local.get $nearness) (i32.const 64)))
      (br_if $runs (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

  ;; Finds what seems as near as $least or nearer, by no more than $span, in the `count` runs (at least one) of the table:
  ;; writes places (64 · run + position) and returns how many.
  (func (export "select")
    (param $table i32) (param $count i32) (param $nearness i32) (param $least i32) (param $span i32) (param $places i32)
    (result i32)
    (local $run i32) (local $found i32) (local $lowest v128) (local $reach v128) (local $near i64)
    (local.set $lowest (i8x16.splat (local.get $least)))
    (local.set $reach (i8x16.splat (local.get $span)))
    (loop $runs
      (local.set $near (i64.or
        (i64.extend_i32_u (i32.or
          (i8x16.bitmask (i8x16.le_u
              (i8x16.sub (v128.load (local.get $nearness)) (local.get $lowest)) (local.get $reach)))
          (i32.shl
            (i8x16.bitmask (i8x16.le_u
              (i8x16.sub (v128.load offset=16 (local.get $nearness)) (local.get $lowest)) (local.get $reach)))
            (i32.const 16))))
        (i64.shl
          (i64.extend_i32_u (i32.or
            (i8x16.bitmask (i8x16.le_u
              (i8x16.sub (v128.load offset=32 (local.get $nearness)) (local.get $lowest)) (local.get $reach)))
            (i32.shl
              (i8x16.bitmask (i8x16.le_u
              (i8x16.sub (v128.load offset=48 (local.get $nearness)) (local.get $lowest)) (local.get $reach)))
              (i32.const 16))))
          (i64.const 32))))
      ;; Behind the last of a run stands what was there before.
      (local.set $near (i64.and (local.get $near)
        (i64.shr_u (i64.const -1)
          (i64.extend_i32_u (i32.sub (i32.const 64) (i32.load offset=12 (local.get $table)))))))
      (block $none
        (loop $each
          (br_if $none (i64.eqz (local.get $near)))
          (i32.store (i32.add (local.get $places) (i32.shl (local.get $found) (i32.const 2)))
            (i32.or (i32.shl (local.get $run) (i32.const 6)) (i32.wrap_i64 (i64.ctz (local.get $near)))))
          (local.set $found (i32.add (local.get $found) (i32.const 1)))
          (local.set $near (i64.and (local.get $near) (i64.sub (local.get $near) (i64.const 1))))
          (br $each)))
      (local.set $table (i32.add (local.get $table) (i32.const 16)))
      (local.set $nearness (i32.add (local.get $nearness) (i32.const 64)))
      (br_if $runs (i32.lt_u (local.tee $run (i32.add (local.get $run) (i32.const 1))) (local.get $count))))
    (local.get $found))

  ;; Compares whole what lies at the `count` places (at least one) of the table, as scan does; writes scores (f32).
  ;; All of it is looked at first: the processor waits for many lines of memory at the same time, but not while it compares.
  (func (export "compare")
    (param $query i32) (param $table i32) (param $places i32) (param $count i32) (param $dimensions i32) (param $scores i32)
    (local $i i32) (local $row i32) (local $place i32) (local $v i32) (local $q i32) (local $end i32) (local $seen i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (loop $looks
      (local.set $place (i32.load (i32.add (local.get $places) (i32.shl (local.get $i) (i32.const 2)))))
      (local.set $row (i32.add (local.get $table) (i32.shl (i32.shr_u (local.get $place) (i32.const 6)) (i32.const 4))))
      (local.set $place (i32.and (local.get $place) (i32.const 63)))
      (local.set $v (i32.add (i32.load offset=4 (local.get $row))
        (i32.mul (local.get $place) (local.get $dimensions))))
      (local.set $end (i32.add (local.get $v) (local.get $dimensions)))
      (local.set $seen (i32.xor (local.get $seen)
        (i32.load (i32.add (i32.load offset=8 (local.get $row)) (i32.shl (local.get $place) (i32.const 2))))))
      (loop $lines
        (local.set $seen (i32.xor (local.get $seen) (i32.load (local.get $v))))
        (br_if $lines (i32.lt_u (local.tee $v (i32.add (local.get $v) (i32.const 64))) (local.get $end))))
      (br_if $looks (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $count))))
    ;; Written over at once; what nobody reads would not be looked at.
    (i32.store (local.get $scores) (local.get $seen))
    (local.set $i (i32.const 0))
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
