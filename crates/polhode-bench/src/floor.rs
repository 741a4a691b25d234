//! How far the exact step in lanes is from what its arithmetic allows.
//!
//! The arithmetic is counted, not estimated: valgrind runs the step in four lanes and says how often
//! each machine instruction was executed, and objdump says which of them multiply, add, divide or take
//! a square root of packed doubles. Number of eight execute the same operations, from the same source.
//! The floor is the time that these operations take when they do not wait for each other: a loop with
//! the same numbers of them on independent registers, in the widest lanes. Loads, stores, comparisons
//! and selections are not part of it, nor are fused operations, which would change bits.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use polhode::ensemble::Width;

use crate::Failure;
use crate::counts::BATCH;
use crate::effort::Effort;
use crate::report::Report;
use crate::timing::{Entrant, race};

const STEPS: u32 = 2000;

/// Operations on a register of doubles, per step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Mix {
    pub(crate) multiply: f64,
    pub(crate) add: f64,
    pub(crate) divide: f64,
    pub(crate) root: f64,
}

impl Mix {
    fn total(self) -> f64 {
        self.multiply + self.add + self.divide + self.root
    }
}

pub(crate) fn measure(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    let key = "floor/figure1";
    if !Width::available().contains(&Width::Four) {
        report.skipped.push(format!("{key}: the processor has no AVX2"));
        return Ok(());
    }
    if !["valgrind", "objdump"].iter().all(|tool| runs(tool)) {
        let how = "to install: apt-get install valgrind binutils";
        report.skipped.push(format!("{key}: valgrind or objdump not found; {how}"));
        return Ok(());
    }
    let mix = count(&std::env::temp_dir())?;
    let (lanes, floor) = peak(effort, mix)?;
    let mut tell = |what: &str, value| {
        report.quantities.insert(format!("exact step in lanes, operations: {what}"), value);
    };
    tell("multiply", mix.multiply);
    tell("add", mix.add);
    tell("divide", mix.divide);
    tell("square root", mix.root);
    report.nanoseconds.insert(format!("floor of the exact step, {lanes} lanes"), floor);
    let rate = report.quantities.get("figure 1: exact, steps per second, one core");
    let reached = floor * 1e-9 * rate.ok_or("the floor is compared with figure 1")?;
    report.ratios.insert(key.into(), reached);
    Ok(())
}

fn runs(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The operations of a step in four lanes.
fn count(folder: &Path) -> Result<Mix, Failure> {
    let this = std::env::current_exe()?;
    let file = folder.join(format!("polhode-bench-{}.callgrind", std::process::id()));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--dump-instr=yes", "--compress-pos=no"])
        .args(["--compress-strings=no", &format!("--callgrind-out-file={}", file.display())])
        .arg(&this)
        .args(["work", BATCH, &STEPS.to_string()])
        .output()?;
    let profile = std::fs::read_to_string(&file);
    // Gone or not, there is nothing more to do about it.
    drop(std::fs::remove_file(&file));
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let listing = Command::new("objdump").args(["-d", "--no-show-raw-insn"]).arg(&this).output()?;
    let listing = String::from_utf8_lossy(&listing.stdout);
    let executed = executions(&profile?, &this);
    let mix = sum(&listing, &executed);
    if mix.total() == 0.0 {
        return Err("no packed arithmetic was seen".into());
    }
    // Sixty-four bodies in lanes of four.
    let registers = f64::from(STEPS) * 16.0;
    Ok(Mix {
        multiply: mix.multiply / registers,
        add: mix.add / registers,
        divide: mix.divide / registers,
        root: mix.root / registers,
    })
}

/// How often the instruction at each address of the program was executed.
fn executions(profile: &str, program: &Path) -> HashMap<u64, f64> {
    let mut executed = HashMap::new();
    let (mut ours, mut called) = (false, false);
    let program = program.to_string_lossy();
    for line in profile.lines() {
        if let Some(object) = line.strip_prefix("ob=") {
            ours = object == program;
        } else if line.starts_with("calls=") {
            // The next line is what the called function cost.
            called = true;
        } else if line.starts_with("0x") {
            let mut fields = line.split_whitespace();
            let address = fields
                .next()
                .and_then(|x| u64::from_str_radix(x.trim_start_matches("0x"), 16).ok());
            let count = fields.nth(1).and_then(|x| x.parse::<f64>().ok());
            if let (true, false, Some(address), Some(count)) = (ours, called, address, count) {
                *executed.entry(address).or_default() += count;
            }
            called = false;
        }
    }
    executed
}

/// The arithmetic on registers of four doubles.
fn sum(listing: &str, executed: &HashMap<u64, f64>) -> Mix {
    let mut mix = Mix::default();
    for line in listing.lines() {
        let Some((address, instruction)) = line.split_once(":\t") else { continue };
        let Ok(address) = u64::from_str_radix(address.trim(), 16) else { continue };
        let Some(&count) = executed.get(&address) else { continue };
        if !instruction.contains("%ymm") {
            continue;
        }
        match instruction.split_whitespace().next() {
            Some("vmulpd") => mix.multiply += count,
            Some("vaddpd" | "vsubpd") => mix.add += count,
            Some("vdivpd") => mix.divide += count,
            Some("vsqrtpd") => mix.root += count,
            _ => {}
        }
    }
    mix
}

/// The widest lanes, and nanoseconds of one body's share of the mix in them.
fn peak(effort: Effort, mix: Mix) -> Result<(usize, f64), Failure> {
    let width = Width::available().pop().ok_or("no lanes at all")?;
    let entrant = Entrant::new("floor", mixed::STEPS, || mixed::run(width, mix).is_finite());
    let times = race(effort.rounds(400), vec![entrant]);
    let time = times[0].1.ok_or("the loop of the floor gave no number")?;
    Ok((width.lanes(), time / width.lanes() as f64))
}

#[cfg(target_arch = "x86_64")]
mod mixed {
    #![allow(unsafe_code)]
    #![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small counts")]

    use std::arch::x86_64::{
        __m256d, __m512d, _mm256_add_pd, _mm256_cvtsd_f64, _mm256_div_pd, _mm256_mul_pd,
        _mm256_set1_pd, _mm256_sqrt_pd, _mm512_add_pd, _mm512_cvtsd_f64, _mm512_div_pd,
        _mm512_mul_pd, _mm512_set1_pd, _mm512_sqrt_pd,
    };
    use std::hint::black_box;

    use polhode::ensemble::Width;

    use super::Mix;

    /// How many steps' operations a run does.
    pub(super) const STEPS: u32 = 100;

    /// Chains of dependent operations, enough to hide how long one takes; few enough for sixteen
    /// registers.
    const CHAINS: u32 = 6;

    /// The operations of some steps, in registers of that width; a number that depends on them all.
    pub(super) fn run(width: Width, mix: Mix) -> f64 {
        let blocks = |count: f64| (count * f64::from(STEPS) / f64::from(CHAINS)).round() as u32;
        let slow = |count: f64| (count * f64::from(STEPS)).round() as u32;
        let (multiply, add) = (blocks(mix.multiply), blocks(mix.add));
        let counts = [multiply, add, slow(mix.divide), slow(mix.root)];
        match width {
            // SAFETY: such a width is available only where the processor has these instructions.
            Width::Eight => unsafe { eight(black_box(counts)) },
            // SAFETY: the same.
            _ => unsafe { four(black_box(counts)) },
        }
    }

    /// Spreads some turns evenly over all rounds.
    struct Turns {
        of: u32,
        rounds: u32,
        sum: u32,
    }

    impl Turns {
        fn new(of: u32, rounds: u32) -> Self {
            Self { of, rounds, sum: 0 }
        }

        #[inline(always)]
        fn next(&mut self) -> bool {
            self.sum += self.of;
            let turn = self.sum >= self.rounds;
            self.sum -= if turn { self.rounds } else { 0 };
            turn
        }
    }

    macro_rules! operations {
        ($name:ident, $features:literal, $register:ty, $set:ident, $add:ident, $mul:ident,
         $div:ident, $sqrt:ident, $first:ident) => {
            #[target_feature(enable = $features)]
            fn $name(counts: [u32; 4]) -> f64 {
                let mut sums = [$set(black_box(1.0)); CHAINS as usize];
                let mut products = [$set(black_box(1.0)); CHAINS as usize];
                let (one, tiny) = ($set(black_box(1.0)), $set(black_box(1e-9)));
                let (mut quotient, mut root) = (one, one);
                let rounds = counts.into_iter().max().unwrap_or(0);
                let [mut multiply, mut add, mut divide, mut take_root] =
                    counts.map(|of| Turns::new(of, rounds));
                for _ in 0..rounds {
                    if multiply.next() {
                        for product in &mut products {
                            *product = $mul(*product, one);
                        }
                    }
                    if add.next() {
                        for sum in &mut sums {
                            *sum = $add(*sum, tiny);
                        }
                    }
                    // Independent of each other: only how many can be done counts.
                    if divide.next() {
                        quotient = $div(one, black_box(one));
                    }
                    if take_root.next() {
                        root = $sqrt(black_box(one));
                    }
                }
                let mut total: $register = $add(quotient, root);
                for (sum, product) in sums.into_iter().zip(products) {
                    total = $add(total, $add(sum, product));
                }
                $first(total)
            }
        };
    }
    operations!(
        eight,
        "avx512f",
        __m512d,
        _mm512_set1_pd,
        _mm512_add_pd,
        _mm512_mul_pd,
        _mm512_div_pd,
        _mm512_sqrt_pd,
        _mm512_cvtsd_f64
    );
    operations!(
        four,
        "avx2",
        __m256d,
        _mm256_set1_pd,
        _mm256_add_pd,
        _mm256_mul_pd,
        _mm256_div_pd,
        _mm256_sqrt_pd,
        _mm256_cvtsd_f64
    );
}

/// Nowhere else is there a width of four.
#[cfg(not(target_arch = "x86_64"))]
mod mixed {
    use polhode::ensemble::Width;

    use super::Mix;

    pub(super) const STEPS: u32 = 1;

    pub(super) fn run(_: Width, _: Mix) -> f64 {
        f64::NAN
    }
}

#[cfg(test)]
mod tests {
    use super::{Mix, executions, sum};
    use std::path::Path;

    #[test]
    fn only_packed_arithmetic_of_this_program_counts() {
        let profile = "\
ob=/bin/other
fn=f
0x10 0 1000
ob=/bin/bench
fn=g
0x10 3 7
0x14 3 5
calls=2 0x999 0
0x18 4 1000000
0x18 4 3
0x1c 4 9
";
        let listing = "\
/bin/bench:     file format elf64-x86-64
  10:\tvmulpd %ymm1,%ymm2,%ymm3
  14:\tvsubpd (%rax),%ymm2,%ymm3
  18:\tvdivpd %ymm1,%ymm2,%ymm3
  1c:\tvmulsd %xmm1,%xmm2,%xmm3
";
        let executed = executions(profile, Path::new("/bin/bench"));
        let expected = Mix { multiply: 7.0, add: 5.0, divide: 3.0, root: 0.0 };
        assert_eq!(sum(listing, &executed), expected);
    }
}
