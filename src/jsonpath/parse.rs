//! From the text of a template to its steps. Problems point at what was opened and not closed, or at what
//! cannot be read.

use serde_json::{Number, Value};

use super::{Action, Operator, Part, Path, Problem, Step, Template, Test};

/// Ranges are run by recursion: this many fit on any stack, and no person nests half as deep.
const DEEPEST: usize = 64;

pub(super) fn template(text: &str) -> Result<Template, Problem> {
    let mut steps = Vec::new();
    let mut open = Vec::new();
    let mut cursor = Cursor { text, pos: 0, end: text.len(), nested: false, keyword: None };
    loop {
        let literal = cursor.take_until(|c| c == '{');
        if !literal.is_empty() {
            steps.push(Step::Text(literal.to_owned()));
        }
        let opened = cursor.pos;
        if cursor.bump().is_none() {
            break;
        }
        let path = cursor.path(opened)?;
        let action = Action { at: cursor.number(opened), path };
        match cursor.keyword.take() {
            None => steps.push(Step::Print(action)),
            Some(Keyword::Range) if open.len() == DEEPEST => {
                return Err(cursor.problem(opened, "ranges are nested too deep"));
            }
            Some(Keyword::Range) => {
                open.push(steps.len());
                steps.push(Step::Range { over: action, end: 0, resume: 0 });
            }
            Some(Keyword::End) => {
                let Some(begin) = open.pop() else {
                    return Err(cursor.problem(opened, "not in range, nothing to end"));
                };
                let here = steps.len();
                close(&mut steps, begin, here, here + 1);
                steps.push(Step::End);
            }
        }
    }
    // kubectl runs a range without {end} to the end of the template, and then goes on with the object
    // around it after the last {end} it came by. Too many scripts leave {end} out to refuse it.
    for begin in open {
        let last_end = steps.iter().rposition(|step| matches!(step, Step::End)).filter(|end| *end > begin);
        let all = steps.len();
        close(&mut steps, begin, all, last_end.unwrap_or(begin) + 1);
    }
    Ok(Template { steps })
}

fn close(steps: &mut [Step], begin: usize, body_end: usize, then: usize) {
    if let Some(Step::Range { end, resume, .. }) = steps.get_mut(begin) {
        *end = body_end;
        *resume = then;
    }
}

/// A word that steers the template instead of finding something.
#[derive(Clone, Copy)]
enum Keyword {
    Range,
    End,
}

/// Reads the part of `text` up to `end`; positions are those of the whole template.
struct Cursor<'t> {
    text: &'t str,
    pos: usize,
    end: usize,
    /// Inside of brackets: the end of the part closes the path, and there are no keywords.
    nested: bool,
    keyword: Option<Keyword>,
}

impl<'t> Cursor<'t> {
    /// Reads parts until the closing brace. `opened` is where the path began.
    fn path(&mut self, opened: usize) -> Result<Path, Problem> {
        let mut path = Path::new();
        loop {
            let start = self.pos;
            match self.bump() {
                None if self.nested => return Ok(path),
                None | Some('\r' | '\n') => return Err(self.problem(opened, "unclosed action")),
                Some('}') => return Ok(path),
                // The object a path starts from is the only one it can see, so its names say nothing.
                Some(' ' | '@' | '$') => {}
                Some('[') if self.eat("?(") => path.push(self.filter(start)?),
                Some('[') => self.brackets(start, &mut path)?,
                Some(quote @ ('"' | '\'')) => path.push(self.quoted(start, quote)?),
                Some('.') => self.after_dot(start, &mut path)?,
                Some('+' | '-' | '0'..='9') => path.push(self.literal_number(start)?),
                Some(c) if is_word(c) => path.extend(self.word(start)?),
                Some(c) => {
                    let message = format!("unrecognized character in action: {}", code_point(c));
                    return Err(self.problem(start, &message));
                }
            }
        }
    }

    fn after_dot(&mut self, start: usize, path: &mut Path) -> Result<(), Problem> {
        if !self.eat(".") {
            path.push(self.field());
            return Ok(());
        }
        if matches!(path.last(), Some(Part::Descent)) {
            return Err(self.problem(start, "invalid multiple recursive descent"));
        }
        path.push(Part::Descent);
        if self.peek().is_some_and(is_word) {
            path.push(self.field());
        }
        Ok(())
    }

    fn field(&mut self) -> Part {
        let start = self.pos;
        while let Some(c) = self.peek().filter(|c| !is_terminator(*c)) {
            self.bump();
            if c == '\\' {
                self.bump();
            }
        }
        match self.slice(start, self.pos) {
            "*" => Part::Wildcard,
            name => Part::Field(name.replace('\\', "")),
        }
    }

    fn word(&mut self, start: usize) -> Result<Option<Part>, Problem> {
        self.take_until(is_terminator);
        let keyword = match self.slice(start, self.pos) {
            "true" => return Ok(Some(Part::Scalar(Value::Bool(true)))),
            "false" => return Ok(Some(Part::Scalar(Value::Bool(false)))),
            "range" if !self.nested => Keyword::Range,
            "end" if !self.nested => Keyword::End,
            other => return Err(self.problem(start, &format!("unrecognized identifier {other}"))),
        };
        if self.keyword.replace(keyword).is_some() {
            return Err(self.problem(start, "an action can begin or end only one range"));
        }
        Ok(None)
    }

    fn literal_number(&mut self, start: usize) -> Result<Part, Problem> {
        self.take_until(|c| c != '.' && !c.is_ascii_digit());
        let text = self.slice(start, self.pos);
        let whole = text.parse::<i64>().ok().map(Number::from);
        let number = whole.or_else(|| text.parse().ok().and_then(Number::from_f64));
        match number {
            Some(number) => Ok(Part::Scalar(Value::Number(number))),
            None => Err(self.problem(start, &format!("cannot parse number {text}"))),
        }
    }

    fn quoted(&mut self, start: usize, quote: char) -> Result<Part, Problem> {
        loop {
            match self.bump() {
                Some('\\') if self.peek().is_some_and(|c| c != '\n') => {
                    self.bump();
                }
                Some(c) if c == quote => break,
                Some(c) if c != '\n' => {}
                _ => return Err(self.problem(start, "unterminated quoted string")),
            }
        }
        let text = self.slice(start + 1, self.pos - 1);
        let Some(plain) = unquote(text, quote) else {
            let message = format!("unquote string {quote}{text}{quote} error invalid syntax");
            return Err(self.problem(start, &message));
        };
        Ok(Part::Text(Value::String(plain)))
    }

    fn brackets(&mut self, start: usize, path: &mut Path) -> Result<(), Problem> {
        let from = self.pos;
        let inner = self.take_until(|c| matches!(c, ']' | '\n'));
        if self.bump() != Some(']') {
            return Err(self.problem(start, "unterminated array"));
        }
        if !inner.contains(',') {
            return self.selector(from, inner, path);
        }
        let mut union = Vec::new();
        let mut pos = from;
        for piece in inner.split(',') {
            let indent = piece.len() - piece.trim_start_matches(' ').len();
            let mut one = Path::new();
            self.selector(pos + indent, piece.trim_matches(' '), &mut one)?;
            union.push(one);
            pos += piece.len() + 1;
        }
        path.push(Part::Union(union));
        Ok(())
    }

    /// One key, index or slice. A key is a path of its own: `['a.b']` is `.a.b`.
    fn selector(&self, pos: usize, text: &str, path: &mut Path) -> Result<(), Problem> {
        let key = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
        if let Some(key) = key.filter(|key| !key.contains('\'')) {
            let mut inner = self.within(pos + 1, pos + 1 + key.len());
            let mut parts = Path::new();
            inner.after_dot(pos + 1, &mut parts)?;
            parts.append(&mut inner.path(pos + 1)?);
            path.append(&mut parts);
            return Ok(());
        }
        if text == "*" {
            path.push(Part::Slice { start: None, end: None, step: None });
            return Ok(());
        }
        let pieces: Vec<&str> = text.split(':').collect();
        let looks_right =
            |piece: &&str| piece.strip_prefix('-').unwrap_or(piece).bytes().all(|byte| byte.is_ascii_digit());
        if pieces.len() > 3 || !pieces.iter().all(looks_right) {
            return Err(self.problem(pos, &format!("invalid array index {text}")));
        }
        let number = |at: usize| match pieces.get(at) {
            None | Some(&"") => Ok(None),
            Some(piece) => piece
                .parse::<i64>()
                .map(Some)
                .map_err(|_| self.problem(pos, &format!("array index {piece} is not a number"))),
        };
        path.push(match pieces.len() {
            1 => Part::Index(number(0)?.unwrap_or(0)),
            _ => Part::Slice { start: number(0)?, end: number(1)?, step: number(2)? },
        });
        Ok(())
    }

    /// What follows `[?(`.
    fn filter(&mut self, start: usize) -> Result<Part, Problem> {
        let from = self.pos;
        let mut quote = None;
        loop {
            match (self.bump(), quote) {
                (None | Some('\n'), _) => return Err(self.problem(start, "unterminated filter")),
                (Some('\\'), Some(_)) if self.peek() != Some('\n') => {
                    self.bump();
                }
                (Some(c), Some(opened)) if c == opened => quote = None,
                (Some(c @ ('"' | '\'')), None) => quote = Some(c),
                (Some(')'), None) => break,
                _ => {}
            }
        }
        let to = self.pos - 1;
        if self.bump() != Some(']') {
            return Err(self.problem(start, "unclosed array expect ]"));
        }
        let Some((sign, after)) = self.operator(from, to) else {
            return Ok(Part::Filter(self.within(from, to).path(from)?, Test::Exists));
        };
        let left = self.within(from, sign).path(from)?;
        let right = self.within(after, to).path(after)?;
        let operator = match self.slice(sign, after) {
            "==" => Operator::Equal,
            "!=" => Operator::NotEqual,
            "<" => Operator::Less,
            "<=" => Operator::LessEqual,
            ">" => Operator::Greater,
            ">=" => Operator::GreaterEqual,
            other => return Err(self.problem(sign, &format!("unrecognized filter operator {other}"))),
        };
        Ok(Part::Filter(left, Test::Compare(operator, right)))
    }

    /// From where to where the operator of a filter goes, if there is something on both sides of one.
    fn operator(&self, from: usize, to: usize) -> Option<(usize, usize)> {
        let is_sign = |c: char| matches!(c, '!' | '<' | '>' | '=');
        let text = self.slice(from, to);
        let sign = text.find(is_sign).filter(|sign| *sign > 0)?;
        let rest = text.get(sign..)?;
        let length = rest.find(|c| !is_sign(c)).unwrap_or(rest.len() - 1);
        (length > 0).then_some((from + sign, from + sign + length))
    }

    fn within(&self, from: usize, to: usize) -> Self {
        Self { text: self.text, pos: from, end: to, nested: true, keyword: None }
    }

    fn slice(&self, from: usize, to: usize) -> &'t str {
        self.text.get(from..to).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.slice(self.pos, self.end).chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.pos += c.len_utf8();
        Some(c)
    }

    fn eat(&mut self, expected: &str) -> bool {
        let found = self.slice(self.pos, self.end).starts_with(expected);
        if found {
            self.pos += expected.len();
        }
        found
    }

    fn take_until(&mut self, stop: impl Fn(char) -> bool) -> &'t str {
        let rest = self.slice(self.pos, self.end);
        let (taken, _) = rest.split_at(rest.find(stop).unwrap_or(rest.len()));
        self.pos += taken.len();
        taken
    }

    fn number(&self, pos: usize) -> usize {
        self.slice(0, pos).chars().count() + 1
    }

    fn problem(&self, pos: usize, message: &str) -> Problem {
        Problem { message: message.to_owned(), at: self.number(pos) }
    }
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// What ends a name unless it is escaped.
fn is_terminator(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}')
}

/// As Go's `%#U`: the character itself only when it can be seen.
fn code_point(c: char) -> String {
    let number = u32::from(c);
    let visible = matches!(c, '\\' | '\'' | '"') || c.escape_debug().count() == 1;
    if visible { format!("U+{number:04X} '{c}'") } else { format!("U+{number:04X}") }
}

/// The escapes of a Go string, in quotes of either kind.
fn unquote(text: &str, quote: char) -> Option<String> {
    // Bytes, since \x can put a character together from several.
    let mut out = Vec::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let c = match c {
            '\\' => match chars.next()? {
                'a' => '\x07',
                'b' => '\x08',
                'f' => '\x0c',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'v' => '\x0b',
                '\\' => '\\',
                'x' => {
                    out.push(u8::try_from(digits(&mut chars, 16, 2, 0)?).ok()?);
                    continue;
                }
                'u' => char::from_u32(digits(&mut chars, 16, 4, 0)?)?,
                'U' => char::from_u32(digits(&mut chars, 16, 8, 0)?)?,
                first @ '0'..='7' => {
                    out.push(u8::try_from(digits(&mut chars, 8, 2, first.to_digit(8)?)?).ok()?);
                    continue;
                }
                escaped if escaped == quote => escaped,
                _ => return None,
            },
            plain => plain,
        };
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
    Some(String::from_utf8_lossy(&out).into_owned())
}

/// Reads exactly `count` more digits of a number that began with `first`.
fn digits(chars: &mut std::str::Chars<'_>, radix: u32, count: usize, first: u32) -> Option<u32> {
    (0..count)
        .try_fold(first, |number, _| number.checked_mul(radix)?.checked_add(chars.next()?.to_digit(radix)?))
}
