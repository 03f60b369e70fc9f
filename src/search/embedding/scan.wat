;; Compares one query with many vectors: by int8 codes, 64 dimensions at a step, or by signs. Built into scan-wasm.ts by
;; `bun model/build-wasm.ts`.
(module
  (import "host" "memory" (memory 1 65536))

  ;; The products of sixteen components, which are -127 … 127, in sums of four. Two of them fit into 16 bits.
  (func $product (param $a v128) (param $b v128) (result v128)
    (i32x4.extadd_pairwise_i16x8_s (i16x8.add
      (i16x8.extmul_low_i8x16_s (local.get $a) (local.get $b))
      (i16x8.extmul_high_i8x16_s (local.get $a) (local.get $b)))))

  ;; For each of `count` (at least one) vectors, writes the dot product of its codes, `dimensions` signed bytes (a multiple
  ;; of 64), with those of the query, times its inverse norm, to $scores (f32). $addresses has the addresses of the codes and
  ;; of the norm (i32 each) of each vector. All cache lines are read first, so that their cache misses overlap.
  (func (export "scores")
    (param $query i32) (param $addresses i32) (param $count i32) (param $dimensions i32) (param $scores i32)
    (local $at i32) (local $last i32) (local $codes i32) (local $end i32) (local $q i32) (local $seen i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $at (local.get $addresses))
    (local.set $last (i32.add (local.get $addresses) (i32.shl (local.get $count) (i32.const 3))))
    (loop $vectors
      (local.set $codes (i32.load (local.get $at)))
      (local.set $end (i32.add (local.get $codes) (local.get $dimensions)))
      (local.set $seen (i32.xor (local.get $seen) (i32.load (i32.load offset=4 (local.get $at)))))
      (loop $lines
        (local.set $seen (i32.xor (local.get $seen) (i32.load (local.get $codes))))
        (br_if $lines (i32.lt_u (local.tee $codes (i32.add (local.get $codes) (i32.const 64))) (local.get $end))))
      (br_if $vectors (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $last))))
    ;; Overwritten at once; without the store, the reads would be optimised away.
    (i32.store (local.get $scores) (local.get $seen))
    (loop $vectors
      (local.set $codes (i32.load (local.get $addresses)))
      (local.set $end (i32.add (local.get $codes) (local.get $dimensions)))
      (local.set $q (local.get $query))
      (local.set $a (v128.const i32x4 0 0 0 0))
      (local.set $b (v128.const i32x4 0 0 0 0))
      (local.set $c (v128.const i32x4 0 0 0 0))
      (local.set $d (v128.const i32x4 0 0 0 0))
      (loop $steps
        (local.set $a (i32x4.add (local.get $a) (call $product (v128.load (local.get $codes)) (v128.load (local.get $q)))))
        (local.set $b (i32x4.add (local.get $b) (call $product (v128.load offset=16 (local.get $codes)) (v128.load offset=16 (local.get $q)))))
        (local.set $c (i32x4.add (local.get $c) (call $product (v128.load offset=32 (local.get $codes)) (v128.load offset=32 (local.get $q)))))
        (local.set $d (i32x4.add (local.get $d) (call $product (v128.load offset=48 (local.get $codes)) (v128.load offset=48 (local.get $q)))))
        (local.set $q (i32.add (local.get $q) (i32.const 64)))
        (br_if $steps (i32.lt_u (local.tee $codes (i32.add (local.get $codes) (i32.const 64))) (local.get $end))))
      (local.set $a (i32x4.add
        (i32x4.add (local.get $a) (local.get $b))
        (i32x4.add (local.get $c) (local.get $d))))
      (local.set $a (i32x4.add (local.get $a)
        (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $a) (local.get $a))))
      (f32.store (local.get $scores)
        (f32.mul
          (f32.load (i32.load offset=4 (local.get $addresses)))
          (f32.convert_i32_s (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a))))))
      (local.set $scores (i32.add (local.get $scores) (i32.const 4)))
      (br_if $vectors (i32.lt_u (local.tee $addresses (i32.add (local.get $addresses) (i32.const 8))) (local.get $last)))))

  ;; A component where the mask of its signs is set, and its negative elsewhere.
  (func $signed (param $component v128) (param $positive v128) (result v128)
    (v128.bitselect (local.get $component) (i8x16.neg (local.get $component)) (local.get $positive)))

  ;; For every four of the `dimensions` components (signed bytes), writes their sums for all combinations of signs to $lookup,
  ;; sixteen signed bytes. A set bit of the combination is a positive sign.
  (func (export "signSums") (param $components i32) (param $dimensions i32) (param $lookup i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $components) (local.get $dimensions)))
    (loop $steps
      (v128.store (local.get $lookup)
        (i8x16.add
          (i8x16.add
            (call $signed (v128.load8_splat (local.get $components))
              (v128.const i32x4 0xff00ff00 0xff00ff00 0xff00ff00 0xff00ff00))
            (call $signed (v128.load8_splat offset=1 (local.get $components))
              (v128.const i32x4 0xffff0000 0xffff0000 0xffff0000 0xffff0000)))
          (i8x16.add
            (call $signed (v128.load8_splat offset=2 (local.get $components))
              (v128.const i32x4 0 0xffffffff 0 0xffffffff))
            (call $signed (v128.load8_splat offset=3 (local.get $components))
              (v128.const i32x4 0 0 0xffffffff 0xffffffff)))))
      (local.set $lookup (i32.add (local.get $lookup) (i32.const 16)))
      (br_if $steps (i32.lt_u (local.tee $components (i32.add (local.get $components) (i32.const 4))) (local.get $end)))))

  ;; For each vector of `count` (at least one) blocks of 64, writes its sign score to $out (one byte each): a quarter of the
  ;; sum that its signs select from the lookup table of `signSums`, 0 to 255; and the highest score of each block to $highest. $signs
  ;; are those of the first block, $bytes for each vector: the first byte of all 64 vectors, then the second. 32 vectors are summed at a
  ;; time.
  (func (export "signScores")
    (param $lookup i32) (param $signs i32) (param $count i32) (param $bytes i32) (param $out i32) (param $highest i32)
    (local $at i32) (local $end i32) (local $sums i32) (local $half i32)
    (local $low v128) (local $high v128) (local $s v128) (local $here v128) (local $mask v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $most v128)
    (local.set $mask (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f))
    (loop $each
      (local.set $half (i32.const 0))
      (local.set $most (v128.const i32x4 0 0 0 0))
      (loop $halves
        (local.set $at (i32.add (local.get $signs) (local.get $half)))
        (local.set $end (i32.add (local.get $at) (i32.shl (local.get $bytes) (i32.const 6))))
        (local.set $sums (local.get $lookup))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $c (v128.const i32x4 0 0 0 0))
        (local.set $d (v128.const i32x4 0 0 0 0))
        (loop $steps
          (local.set $low (v128.load (local.get $sums)))
          (local.set $high (v128.load offset=16 (local.get $sums)))
          (local.set $s (v128.load (local.get $at)))
          (local.set $here (i8x16.add
            (i8x16.swizzle (local.get $low) (v128.and (local.get $s) (local.get $mask)))
            (i8x16.swizzle (local.get $high)
              (v128.and (i16x8.shr_u (local.get $s) (i32.const 4)) (local.get $mask)))))
          (local.set $a (i16x8.add (local.get $a) (i16x8.extend_low_i8x16_s (local.get $here))))
          (local.set $b (i16x8.add (local.get $b) (i16x8.extend_high_i8x16_s (local.get $here))))
          (local.set $s (v128.load offset=16 (local.get $at)))
          (local.set $here (i8x16.add
            (i8x16.swizzle (local.get $low) (v128.and (local.get $s) (local.get $mask)))
            (i8x16.swizzle (local.get $high)
              (v128.and (i16x8.shr_u (local.get $s) (i32.const 4)) (local.get $mask)))))
          (local.set $c (i16x8.add (local.get $c) (i16x8.extend_low_i8x16_s (local.get $here))))
          (local.set $d (i16x8.add (local.get $d) (i16x8.extend_high_i8x16_s (local.get $here))))
          (local.set $sums (i32.add (local.get $sums) (i32.const 32)))
          (br_if $steps (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $end))))
        (local.set $a (i8x16.narrow_i16x8_u
          (i16x8.shr_s (local.get $a) (i32.const 2)) (i16x8.shr_s (local.get $b) (i32.const 2))))
        (local.set $c (i8x16.narrow_i16x8_u
          (i16x8.shr_s (local.get $c) (i32.const 2)) (i16x8.shr_s (local.get $d) (i32.const 2))))
        (v128.store (local.get $out) (local.get $a))
        (v128.store offset=16 (local.get $out) (local.get $c))
        (local.set $most (i8x16.max_u (local.get $most) (i8x16.max_u (local.get $a) (local.get $c))))
        (local.set $out (i32.add (local.get $out) (i32.const 32)))
        (br_if $halves (i32.lt_u (local.tee $half (i32.add (local.get $half) (i32.const 32))) (i32.const 64))))
      (local.set $most (i8x16.max_u (local.get $most)
        (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $most) (local.get $most))))
      (local.set $most (i8x16.max_u (local.get $most)
        (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $most) (local.get $most))))
      (local.set $most (i8x16.max_u (local.get $most)
        (i8x16.shuffle 2 3 0 1 6 7 4 5 10 11 8 9 14 15 12 13 (local.get $most) (local.get $most))))
      (local.set $most (i8x16.max_u (local.get $most)
        (i8x16.shuffle 1 0 3 2 5 4 7 6 9 8 11 10 13 12 15 14 (local.get $most) (local.get $most))))
      (i32.store8 (local.get $highest) (i8x16.extract_lane_u 0 (local.get $most)))
      (local.set $highest (i32.add (local.get $highest) (i32.const 1)))
      (local.set $signs (i32.add (local.get $signs) (i32.shl (local.get $bytes) (i32.const 6))))
      (br_if $each (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))
