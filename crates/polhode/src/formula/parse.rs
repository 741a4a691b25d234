//! From a text to a program: precedence climbing by recursive descent, in one pass.

use super::program::{Op, Program, STACK, function};
use super::scope::{PlainScope, Scope};
use super::{Constants, FUNCTIONS, VARIABLES};
use crate::parameters::suggestion;

/// Deeper nesting is refused, before it fills the stack of the parser.
const NESTING: usize = 100;

/// What is wrong, at which byte.
pub(crate) type ParseMistake = (usize, String);
pub(crate) type ParseResult<T> = Result<T, ParseMistake>;

/// The program of a text.
pub(super) fn parse(
    text: &str,
    constants: &Constants,
    scope: &mut dyn Scope,
) -> ParseResult<Program> {
    let mut parser = Parser::new(text, constants)?;
    parser.sum(scope)?;
    after(&parser)?;
    Ok(parser.program)
}

/// The program of a comparison: positive where it holds.
pub(super) fn parse_comparison(
    text: &str,
    constants: &Constants,
    scope: &mut dyn Scope,
) -> ParseResult<Program> {
    let mut parser = Parser::new(text, constants)?;
    parser.sum(scope)?;
    let at = parser.at;
    let less = parser.take("<=") || parser.take("<");
    let more = !less && (parser.take(">=") || parser.take(">"));
    if !less && !more {
        return Err(parser.fail("a comparison is missing: '<' or '>'"));
    }
    parser.sum(scope)?;
    if parser.rest().starts_with(['<', '>']) {
        return Err(parser.fail("one comparison is enough"));
    }
    after(&parser)?;
    parser.emit(Op::Subtract, at)?;
    if less {
        parser.emit(Op::Negate, at)?;
    }
    Ok(parser.program)
}

/// What stands after the end of an expression.
fn after(parser: &Parser<'_>) -> ParseResult<()> {
    match parser.rest().chars().next() {
        None => Ok(()),
        Some(')') => Err(parser.fail("')' without '('")),
        Some(',') => Err(parser.fail("',' outside of a function")),
        Some('=') => Err(parser.fail("'=' has no meaning in a formula")),
        Some('<' | '>') => Err(parser.fail("a comparison is no number")),
        Some(c) if c.is_ascii_alphanumeric() || c == '(' || c == '_' || c == '.' => {
            Err(parser.fail("an operator is missing; a product is written with '*'"))
        }
        Some(c) => Err(parser.fail(format!("'{}' has no meaning in a formula", shown(c)))),
    }
}

fn shown(c: char) -> char {
    if c.is_control() { '\u{fffd}' } else { c }
}

/// Constants must be names that mean nothing else.
fn check_constants(constants: &Constants) -> ParseResult<()> {
    for (name, value) in constants {
        let mut chars = name.chars();
        let word = chars.next().is_some_and(starts_name) && chars.all(continues_name);
        let reason = if !word {
            "is no name; names are letters, digits and '_', and begin with a letter"
        } else if VARIABLES.contains(&name.as_str()) || name == "pi" {
            "has a meaning already; choose another name for the constant"
        } else if function(name).is_some() {
            "is a function; choose another name for the constant"
        } else if !value.is_finite() {
            "is not a finite number"
        } else {
            continue;
        };
        let name: String = name.chars().take(40).map(shown).collect();
        return Err((0, format!("constant '{name}' {reason}")));
    }
    Ok(())
}

fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

fn continues_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// A text that is being read.
pub(crate) struct Parser<'a> {
    text: &'a str,
    /// The byte in hand; no blank.
    at: usize,
    constants: &'a Constants,
    program: Program,
    nested: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, constants: &'a Constants) -> ParseResult<Self> {
        check_constants(constants)?;
        let mut parser = Self { text, at: 0, constants, program: Program::default(), nested: 0 };
        parser.skip_blanks();
        if parser.rest().is_empty() {
            return Err((0, "an expression is missing".into()));
        }
        Ok(parser)
    }

    /// The name that comes next, and where it stands.
    pub(crate) fn word(&mut self) -> Option<(&'a str, usize)> {
        let at = self.at;
        if !self.rest().starts_with(starts_name) {
            return None;
        }
        let length = self.rest().chars().take_while(|c| continues_name(*c)).count();
        let word = &self.rest()[..length];
        self.at += length;
        self.skip_blanks();
        Some((word, at))
    }

    /// A number, which may be computed from others.
    pub(crate) fn constant(&mut self) -> ParseResult<f64> {
        let (at, before) = (self.at, core::mem::take(&mut self.program));
        self.sum(&mut PlainScope)?;
        let made = core::mem::replace(&mut self.program, before);
        made.constant().ok_or((
            at,
            "this changes with time or state; only a constant number may stand here".into(),
        ))
    }

    /// Passes a symbol that must come next.
    pub(crate) fn expect(&mut self, symbol: &str) -> ParseResult<()> {
        if self.take(symbol) {
            return Ok(());
        }
        Err(self.fail(format!("'{symbol}' is missing")))
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn fail(&self, reason: impl Into<String>) -> ParseMistake {
        (self.at, reason.into())
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Passes a symbol, if it comes next.
    fn take(&mut self, symbol: &str) -> bool {
        let found = self.rest().starts_with(symbol);
        if found {
            self.at += symbol.len();
            self.skip_blanks();
        }
        found
    }

    /// Adds an operation whose operator stands at that byte.
    fn emit(&mut self, op: Op, at: usize) -> ParseResult<()> {
        if self.program.push(op) > STACK {
            let reason = "too much is waiting to be computed; write the longer part of sums and products first";
            return Err((at, reason.into()));
        }
        Ok(())
    }

    fn sum(&mut self, scope: &mut dyn Scope) -> ParseResult<()> {
        self.chain(scope, Self::product, [("+", Op::Add), ("-", Op::Subtract)])
    }

    fn product(&mut self, scope: &mut dyn Scope) -> ParseResult<()> {
        self.chain(scope, Self::signed, [("*", Op::Multiply), ("/", Op::Divide)])
    }

    /// Operands with these operators between them, from left to right.
    fn chain(
        &mut self,
        scope: &mut dyn Scope,
        operand: fn(&mut Self, &mut dyn Scope) -> ParseResult<()>,
        operators: [(&str, Op); 2],
    ) -> ParseResult<()> {
        operand(self, scope)?;
        loop {
            let at = self.at;
            // A power is no product.
            let power = self.rest().starts_with("**");
            let Some((_, op)) = operators.iter().find(|(text, _)| !power && self.take(text)) else {
                return Ok(());
            };
            operand(self, scope)?;
            self.emit(*op, at)?;
        }
    }

    /// A factor with its signs. Every way to nest leads through here.
    fn signed(&mut self, scope: &mut dyn Scope) -> ParseResult<()> {
        self.nested += 1;
        if self.nested > NESTING {
            return Err(self.fail(format!("nested more than {NESTING} deep")));
        }
        let at = self.at;
        if self.take("-") {
            self.signed(scope)?;
            self.emit(Op::Negate, at)?;
        } else if self.take("+") {
            self.signed(scope)?;
        } else {
            self.power(scope)?;
        }
        self.nested -= 1;
        Ok(())
    }

    fn power(&mut self, scope: &mut dyn Scope) -> ParseResult<()> {
        self.atom(scope)?;
        let at = self.at;
        if self.take("^") || self.take("**") {
            // To the right: 2^3^2 is 2^9.
            self.signed(scope)?;
            self.emit(Op::Power, at)?;
        }
        Ok(())
    }

    fn atom(&mut self, scope: &mut dyn Scope) -> ParseResult<()> {
        let at = self.at;
        match self.rest().chars().next() {
            None => Err(self.fail("the formula ends where a number or a name should follow")),
            Some('(') => {
                self.take("(");
                self.sum(scope)?;
                self.close(at)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => {
                let number = self.number()?;
                self.emit(Op::Number(number), at)
            }
            Some(c) if starts_name(c) => self.name(scope),
            Some(')') => Err(self.fail("something is missing before ')'")),
            Some(c) if "*/^,=".contains(c) => {
                Err(self.fail(format!("a number or a name is missing before '{c}'")))
            }
            Some(c) => Err(self.fail(format!("'{}' has no meaning in a formula", shown(c)))),
        }
    }

    fn close(&mut self, opened: usize) -> ParseResult<()> {
        if self.take(")") {
            return Ok(());
        }
        match self.rest().chars().next() {
            None => Err((opened, "this '(' is never closed".into())),
            Some(',') => Err(self.fail("too many arguments")),
            Some(_) => {
                Err(self.fail("an operator or ')' is missing; a product is written with '*'"))
            }
        }
    }

    fn number(&mut self) -> ParseResult<f64> {
        let bytes = self.rest().as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let mut end = digits(0);
        if bytes.get(end) == Some(&b'.') {
            end += 1 + digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits((end + 1 + sign).min(bytes.len()));
            // Without digits the e is no exponent, and what it is gets told next.
            end += if exponent > 0 { 1 + sign + exponent } else { 0 };
        }
        let number = polhode_number::read(&self.rest()[..end])
            .map_err(|why| self.fail(format!("this number {why}")))?;
        self.at += end;
        self.skip_blanks();
        Ok(number)
    }

    fn name(&mut self, scope: &mut dyn Scope) -> ParseResult<()> {
        let Some((name, at)) = self.word() else { return Err(self.fail("a name is missing")) };
        if let Some(index) = scope.term(name, at, self)? {
            return self.emit(Op::Variable(VARIABLES.len() + index), at);
        }
        if self.rest().starts_with('(') {
            return self.call(name, at, scope);
        }
        if let Some(index) = VARIABLES.iter().position(|v| *v == name) {
            return self.emit(Op::Variable(index), at);
        }
        let place = self.constants.keys().position(|known| known == name);
        let op = match (place, self.constants.get(name)) {
            _ if name == "pi" => Some(Op::Number(core::f64::consts::PI)),
            (Some(place), Some(value)) => Some(Op::Named(place, *value)),
            _ => None,
        };
        match op {
            Some(op) => self.emit(op, at),
            None if function(name).is_some() => {
                Err((at, format!("'{name}' is a function; its argument in parentheses is missing")))
            }
            None => {
                let more = scope.names();
                let known: Vec<&str> = VARIABLES
                    .iter()
                    .copied()
                    .chain(["pi"])
                    .chain(self.constants.keys().map(String::as_str))
                    .chain(more.iter().map(String::as_str))
                    .collect();
                let name: String = name.chars().take(40).collect();
                // Of names of one letter or two every other one is near.
                let near = if name.chars().count() > 2 {
                    suggestion(&known, &name)
                } else {
                    format!("; known: {}", known.join(", "))
                };
                let said = near.starts_with("; did you mean") || !more.is_empty();
                let constants = if said { "" } else { "; constants = { .. } names numbers" };
                Err((at, format!("no name '{name}'{near}{constants}")))
            }
        }
    }

    /// A function of what stands in the parentheses that come next.
    fn call(&mut self, name: &str, at: usize, scope: &mut dyn Scope) -> ParseResult<()> {
        let Some((op, arguments)) = function(name) else {
            let name: String = name.chars().take(40).collect();
            if VARIABLES.contains(&name.as_str()) || self.constants.contains_key(&name) {
                return Err(self.fail("an operator is missing; a product is written with '*'"));
            }
            let more = scope.names();
            let known: Vec<&str> =
                FUNCTIONS.iter().copied().chain(more.iter().map(String::as_str)).collect();
            return Err((at, format!("no function '{name}'{}", suggestion(&known, &name))));
        };
        let opened = self.at;
        self.take("(");
        for k in 0..arguments {
            if k > 0 && !self.take(",") {
                return Err(self.fail(format!("'{name}' takes {arguments} arguments, after ','")));
            }
            self.sum(scope)?;
        }
        if self.rest().starts_with(',') {
            let s = if arguments == 1 { "" } else { "s" };
            return Err(self.fail(format!("'{name}' takes {arguments} argument{s}")));
        }
        self.close(opened)?;
        self.emit(op, at)
    }
}
