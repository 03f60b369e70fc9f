;; Kernels over sets of slots, one bit per slot, 128 slots at a step. Built into bitmap-rows-wasm.ts by `bun
;; model/build-wasm.ts`.
(module
  (import "host" "memory" (memory 1 65536))

  ;; Writes a word number and its bits to $found if any bit is set. Returns where the next match is written.
  (func $write (param $slots i32) (param $word i32) (param $found i32) (result i32)
    (i32.store (local.get $found) (local.get $word))
    (i32.store offset=4 (local.get $found) (local.get $slots))
    (i32.add (local.get $found) (i32.shl (i32.ne (local.get $slots) (i32.const 0)) (i32.const 3))))

  ;; The same for the four words that begin at a byte of the sets.
  (func $writeFour (param $slots v128) (param $byte i32) (param $found i32) (result i32)
    (local $word i32)
    (local.set $word (i32.shr_u (local.get $byte) (i32.const 2)))
    (call $write (i32x4.extract_lane 3 (local.get $slots)) (i32.add (local.get $word) (i32.const 3))
      (call $write (i32x4.extract_lane 2 (local.get $slots)) (i32.add (local.get $word) (i32.const 2))
        (call $write (i32x4.extract_lane 1 (local.get $slots)) (i32.add (local.get $word) (i32.const 1))
          (call $write (i32x4.extract_lane 0 (local.get $slots)) (local.get $word) (local.get $found))))))

  ;; The addresses of sets are at $conjuncts (i32), four for each of $count conjuncts. From byte $from of the sets up to $to
  ;; (both multiples of 16), finds the slots that are in all four sets of a conjunct, and writes each word with a match to
  ;; $found: its number (i32) and the bits (i32). Returns the number of words.
  (func (export "matchAny")
    (param $conjuncts i32) (param $count i32) (param $from i32) (param $to i32) (param $found i32) (result i32)
    (local $begin i32) (local $end i32) (local $conjunct i32) (local $slots v128)
    (local.set $begin (local.get $found))
    (local.set $end (i32.add (local.get $conjuncts) (i32.shl (local.get $count) (i32.const 4))))
    (loop $steps
      (local.set $slots (v128.const i32x4 0 0 0 0))
      (local.set $conjunct (local.get $conjuncts))
      (loop $each
        (local.set $slots (v128.or (local.get $slots)
          (v128.and
            (v128.and
              (v128.load (i32.add (i32.load (local.get $conjunct)) (local.get $from)))
              (v128.load (i32.add (i32.load offset=4 (local.get $conjunct)) (local.get $from))))
            (v128.and
              (v128.load (i32.add (i32.load offset=8 (local.get $conjunct)) (local.get $from)))
              (v128.load (i32.add (i32.load offset=12 (local.get $conjunct)) (local.get $from)))))))
        (local.set $conjunct (i32.add (local.get $conjunct) (i32.const 16)))
        (br_if $each (i32.lt_u (local.get $conjunct) (local.get $end))))
      (if (v128.any_true (local.get $slots))
        (then (local.set $found (call $writeFour (local.get $slots) (local.get $from) (local.get $found)))))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (br_if $steps (i32.lt_u (local.get $from) (local.get $to))))
    (i32.shr_u (i32.sub (local.get $found) (local.get $begin)) (i32.const 3)))

  ;; Returns how many slots are in any of $count sets, whose addresses are at $sets, in their first $bytes bytes (a multiple
  ;; of 16).
  (func (export "countAny") (param $sets i32) (param $count i32) (param $bytes i32) (result i32)
    (local $end i32) (local $set i32) (local $at i32) (local $slots v128) (local $sums v128)
    (local.set $end (i32.add (local.get $sets) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $sums (v128.const i32x4 0 0 0 0))
    (loop $steps
      (local.set $slots (v128.const i32x4 0 0 0 0))
      (local.set $set (local.get $sets))
      (loop $each
        (local.set $slots (v128.or (local.get $slots)
          (v128.load (i32.add (i32.load (local.get $set)) (local.get $at)))))
        (local.set $set (i32.add (local.get $set) (i32.const 4)))
        (br_if $each (i32.lt_u (local.get $set) (local.get $end))))
      (local.set $sums (i32x4.add (local.get $sums)
        (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (i8x16.popcnt (local.get $slots))))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $steps (i32.lt_u (local.get $at) (local.get $bytes))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
      (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))
)
