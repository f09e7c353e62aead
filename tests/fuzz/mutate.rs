//! Makes inputs: mostly valid documents with a few changes, sometimes random bytes. The same seed makes the same input.

use std::fmt::Write as _;

/// Numbers at the limits of their types, and other texts that readers stumble over.
const ODD: &[&str] = &[
    "0",
    "-1",
    "255",
    "2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "1e999",
    "-0.0",
    "NaN",
    "null",
    "true",
    "~",
    "{}",
    "[]",
    "\"\"",
    "\u{0}",
    "\u{1b}[31m",
    "\u{202e}",
    "\u{e0041}",
    "\r\n",
    "\n",
    "\t",
    "---\n",
    "&a ",
    "*a",
    "<<: ",
    "!!binary ",
    "\\u0000",
    "\\ud800",
    "é",
    "𝄞",
    "9999-12-31T23:59:59Z",
    "-9999-01-01T00:00:00Z",
];

/// A generator of numbers (`SplitMix64`), and what is made from them.
pub(crate) struct Mutator(u64);

impl Mutator {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, or 0.
    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % (limit.max(1) as u64)).unwrap()
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> Option<&'a T> {
        let at = self.below(from.len());
        from.get(at).copied()
    }

    /// An input: one in ten is random, the others are mutated seeds.
    pub(crate) fn input(&mut self, seeds: &[Vec<u8>], tokens: &[&str]) -> Vec<u8> {
        if self.below(10) == 0 || seeds.is_empty() {
            let length = self.below(600);
            return (0..length).map(|_| self.next().to_le_bytes()[0]).collect();
        }
        let at = self.below(seeds.len());
        let mut input = seeds[at].clone();
        for _ in 0..self.below(8) {
            self.change(&mut input, seeds, tokens);
        }
        input
    }

    fn change(&mut self, input: &mut Vec<u8>, seeds: &[Vec<u8>], tokens: &[&str]) {
        let at = self.below(input.len() + 1);
        match self.below(9) {
            0 => {
                let bit = self.below(8);
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << bit;
                }
            }
            1 => input.truncate(at),
            2 => {
                let end = (at + self.below(40)).min(input.len());
                input.drain(at..end);
            }
            3 => {
                let end = (at + self.below(60)).min(input.len());
                let piece = input[at..end].to_vec();
                let most = if self.below(20) == 0 { 2_000 } else { 4 };
                let times = 1 + self.below(most);
                let copies = piece.repeat(times);
                input.splice(end..end, copies);
            }
            4 => {
                let other = &seeds[self.below(seeds.len())];
                let from = self.below(other.len() + 1);
                let end = (from + self.below(200)).min(other.len());
                input.splice(at..at, other[from..end].to_vec());
            }
            5 => {
                let token = self.pick(tokens).unwrap_or_default().as_bytes().to_vec();
                input.splice(at..at, token);
            }
            6 => {
                let odd = self.pick(ODD).unwrap_or_default().as_bytes().to_vec();
                input.splice(at..at, odd);
            }
            7 => self.replace_number(input, at),
            _ => {
                let byte = self.next().to_le_bytes()[0];
                if let Some(old) = input.get_mut(at) {
                    *old = byte;
                }
            }
        }
    }

    /// Replaces the next number by one at a limit.
    fn replace_number(&mut self, input: &mut Vec<u8>, at: usize) {
        let Some(start) = input[at..].iter().position(u8::is_ascii_digit).map(|found| at + found) else {
            return;
        };
        let length = input[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut text = String::new();
        let bits = self.below(65);
        let number = if bits == 0 { 0 } else { u64::MAX >> (64 - bits) };
        write!(text, "{number}").unwrap();
        input.splice(start..start + length, text.into_bytes());
    }
}
