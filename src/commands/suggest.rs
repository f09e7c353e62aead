//! Values that completion scripts offer for an argument that accepts more than a fixed list.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};

/// A parser with the values that completion offers. Whether a value is valid is up to the inner parser.
#[derive(Clone)]
pub(super) struct Suggesting<P> {
    parser: P,
    values: Vec<&'static str>,
}

/// Adds values to a parser.
pub(super) fn suggesting<P>(parser: P, values: impl IntoIterator<Item = &'static str>) -> Suggesting<P> {
    Suggesting { parser, values: values.into_iter().collect() }
}

impl<P: TypedValueParser> TypedValueParser for Suggesting<P> {
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Self::Value, Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.values.iter().map(PossibleValue::new)))
    }
}
