use super::{BLOCK, Operation, Pass, Width, bump, sum};
use crate::access::mapping::{Mapping, Pages};

const COUNT: usize = 3 * BLOCK;

/// Every width that this processor has.
fn widths() -> Vec<Width> {
    #[cfg(target_arch = "x86_64")]
    {
        let all = [Width::Plain, Width::Sse2, Width::Avx2, Width::Avx512];
        let widest = Width::widest();
        let last = all
            .iter()
            .position(|&each| each == widest)
            .expect("one of them");
        all[..=last].to_vec()
    }
    #[cfg(not(target_arch = "x86_64"))]
    vec![Width::Plain]
}

fn numbers(from: u32) -> Vec<f64> {
    (from..).take(COUNT).map(f64::from).collect()
}

/// The result of a pass, and the numbers before and after it, which no pass may touch.
fn done(operation: Operation, streams: bool, width: Width) -> Vec<f64> {
    let mut map = Mapping::new(8 * (COUNT + 2 * BLOCK), Pages::System).expect("a page");
    let (one, two) = (numbers(1), numbers(1000));
    let made = &mut map.floats()[..COUNT + 2 * BLOCK];
    Pass {
        operation,
        streams,
        to: &mut made[BLOCK..BLOCK + COUNT],
        one: &one,
        two: &two,
        scalar: 3.0,
    }
    .run(width);
    let around = [&made[..BLOCK], &made[BLOCK + COUNT..]].concat();
    assert!(around.iter().all(|value| value.to_bits() == 0), "{width:?}");
    made[BLOCK..BLOCK + COUNT].to_vec()
}

fn right(operation: Operation) -> Vec<f64> {
    let pairs = numbers(1).into_iter().zip(numbers(1000));
    let each = |(one, two): (f64, f64)| match operation {
        Operation::Copy => one,
        Operation::Scale => 3.0 * one,
        Operation::Add => one + two,
        Operation::Triad => one + 3.0 * two,
    };
    pairs.map(each).collect()
}

#[test]
fn every_width_and_every_store_gives_the_same_as_arithmetic() {
    let all = [
        Operation::Copy,
        Operation::Scale,
        Operation::Add,
        Operation::Triad,
    ];
    for width in widths() {
        for operation in all {
            for streams in [false, true] {
                let made = done(operation, streams, width);
                assert_eq!(made, right(operation), "{operation:?} {streams} {width:?}");
            }
        }
    }
}

#[test]
fn sums_and_steps_are_right_at_every_width() {
    for width in widths() {
        let mut some = numbers(1);
        let last = u32::try_from(COUNT).expect("a small number");
        let expected = f64::from(last * (last + 1) / 2);
        assert!((sum(&some, width) - expected).abs() < 1e-6, "{width:?}");
        bump(&mut some, width);
        assert_eq!(some, numbers(2), "{width:?}");
    }
}

#[test]
fn bytes_are_counted_as_stream_counts_them() {
    let all = [
        Operation::Copy,
        Operation::Scale,
        Operation::Add,
        Operation::Triad,
    ];
    assert_eq!(all.map(Operation::bytes), [16, 16, 24, 24]);
}

#[test]
fn plain_code_has_no_non_temporal_stores_and_says_why() {
    let refused = Width::Plain.need_streams().expect_err("it has none");
    insta::assert_snapshot!(refused.to_string());
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_width_that_is_named_is_never_exceeded() {
    let widest = Width::widest().bits().expect("a width");
    for (named, bits) in [(128, 128.0), (256, 256.0), (512, 512.0)] {
        let chosen = Width::within(Some(named)).bits().expect("a width");
        assert!((chosen - widest.min(bits)).abs() < 0.5, "{named}: {chosen}");
    }
    assert_eq!(Width::within(None), Width::widest());
}
