//! Parses the text of a template into instructions. An error points at what was opened and not closed, or at
//! what cannot be parsed.

use serde_json::{Number, Value};

use super::{Action, Instruction, Node, Operator, Path, Predicate, Problem, Template};

/// Ranges are executed recursively: this many fit on any stack, and nobody nests half as deep.
const MAX_RANGE_DEPTH: usize = 64;

pub(super) fn parse_template(text: &str) -> Result<Template, Problem> {
    let mut instructions = Vec::new();
    let mut open = Vec::new();
    let mut parser = Parser { text, pos: 0, end: text.len(), nested: false, keyword: None };
    loop {
        let literal = parser.take_until(|c| c == '{');
        if !literal.is_empty() {
            instructions.push(Instruction::Text(literal.to_owned()));
        }
        let opened = parser.pos;
        if parser.next().is_none() {
            break;
        }
        let path = parser.parse_inside_action(opened)?;
        let action = Action { at: parser.position(opened), path };
        match parser.keyword.take() {
            None => instructions.push(Instruction::Print(action)),
            Some(Keyword::Range) if open.len() == MAX_RANGE_DEPTH => {
                return Err(parser.problem(opened, "ranges are nested too deep"));
            }
            Some(Keyword::Range) => {
                open.push(instructions.len());
                instructions.push(Instruction::Range { over: action, end: 0, resume: 0 });
            }
            Some(Keyword::End) => {
                let Some(begin) = open.pop() else {
                    return Err(parser.problem(opened, "not in range, nothing to end"));
                };
                let here = instructions.len();
                close(&mut instructions, begin, here, here + 1);
                instructions.push(Instruction::End);
            }
        }
    }
    // kubectl executes a range without {end} to the end of the template, and then continues with the outer
    // object after the last {end} in it. Too many scripts omit {end} to refuse that.
    for begin in open {
        let last_end = instructions
            .iter()
            .rposition(|instruction| matches!(instruction, Instruction::End))
            .filter(|end| *end > begin);
        let all = instructions.len();
        close(&mut instructions, begin, all, last_end.unwrap_or(begin) + 1);
    }
    Ok(Template { instructions })
}

fn close(instructions: &mut [Instruction], begin: usize, body_end: usize, then: usize) {
    if let Some(Instruction::Range { end, resume, .. }) = instructions.get_mut(begin) {
        *end = body_end;
        *resume = then;
    }
}

/// An identifier that controls the template instead of finding values.
#[derive(Clone, Copy)]
enum Keyword {
    Range,
    End,
}

/// Parses `text` from `pos` to `end`, which are positions in the whole template.
struct Parser<'t> {
    text: &'t str,
    pos: usize,
    end: usize,
    /// Inside brackets: the path ends at `end`, and there are no keywords.
    nested: bool,
    keyword: Option<Keyword>,
}

impl<'t> Parser<'t> {
    /// Parses nodes up to the closing brace. `opened` is where the action began.
    fn parse_inside_action(&mut self, opened: usize) -> Result<Path, Problem> {
        let mut path = Path::new();
        loop {
            let start = self.pos;
            match self.next() {
                None if self.nested => return Ok(path),
                None | Some('\r' | '\n') => return Err(self.problem(opened, "unclosed action")),
                Some('}') => return Ok(path),
                // A path sees only the object it starts from, so both names for it are redundant.
                Some(' ' | '@' | '$') => {}
                Some('[') if self.consume("?(") => path.push(self.parse_filter(start)?),
                Some('[') => self.parse_array(start, &mut path)?,
                Some(quote @ ('"' | '\'')) => path.push(self.parse_quote(start, quote)?),
                Some('.') => self.parse_dot(start, &mut path)?,
                Some('+' | '-' | '0'..='9') => path.push(self.parse_number(start)?),
                Some(c) if is_alphanumeric(c) => path.extend(self.parse_identifier(start)?),
                Some(c) => {
                    let message = format!("unrecognized character in action: {}", code_point(c));
                    return Err(self.problem(start, &message));
                }
            }
        }
    }

    fn parse_dot(&mut self, start: usize, path: &mut Path) -> Result<(), Problem> {
        if !self.consume(".") {
            path.push(self.parse_field());
            return Ok(());
        }
        if matches!(path.last(), Some(Node::Recursive)) {
            return Err(self.problem(start, "invalid multiple recursive descent"));
        }
        path.push(Node::Recursive);
        if self.peek().is_some_and(is_alphanumeric) {
            path.push(self.parse_field());
        }
        Ok(())
    }

    fn parse_field(&mut self) -> Node {
        let start = self.pos;
        while let Some(c) = self.peek().filter(|c| !is_terminator(*c)) {
            self.next();
            if c == '\\' {
                self.next();
            }
        }
        match self.slice(start, self.pos) {
            "*" => Node::Wildcard,
            name => Node::Field(name.replace('\\', "")),
        }
    }

    fn parse_identifier(&mut self, start: usize) -> Result<Option<Node>, Problem> {
        self.take_until(is_terminator);
        let keyword = match self.slice(start, self.pos) {
            "true" => return Ok(Some(Node::Literal(Value::Bool(true)))),
            "false" => return Ok(Some(Node::Literal(Value::Bool(false)))),
            "range" if !self.nested => Keyword::Range,
            "end" if !self.nested => Keyword::End,
            other => return Err(self.problem(start, &format!("unrecognized identifier {other}"))),
        };
        if self.keyword.replace(keyword).is_some() {
            return Err(self.problem(start, "an action can begin or end only one range"));
        }
        Ok(None)
    }

    fn parse_number(&mut self, start: usize) -> Result<Node, Problem> {
        self.take_until(|c| c != '.' && !c.is_ascii_digit());
        let text = self.slice(start, self.pos);
        let whole = text.parse::<i64>().ok().map(Number::from);
        let number = whole.or_else(|| text.parse().ok().and_then(Number::from_f64));
        match number {
            Some(number) => Ok(Node::Literal(Value::Number(number))),
            None => Err(self.problem(start, &format!("cannot parse number {text}"))),
        }
    }

    fn parse_quote(&mut self, start: usize, quote: char) -> Result<Node, Problem> {
        loop {
            match self.next() {
                Some('\\') if self.peek().is_some_and(|c| c != '\n') => {
                    self.next();
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
        Ok(Node::Text(Value::String(plain)))
    }

    fn parse_array(&mut self, start: usize, path: &mut Path) -> Result<(), Problem> {
        let from = self.pos;
        let inner = self.take_until(|c| matches!(c, ']' | '\n'));
        if self.next() != Some(']') {
            return Err(self.problem(start, "unterminated array"));
        }
        if !inner.contains(',') {
            return self.parse_selector(from, inner, path);
        }
        let mut union = Vec::new();
        let mut pos = from;
        for piece in inner.split(',') {
            let indent = piece.len() - piece.trim_start_matches(' ').len();
            let mut one = Path::new();
            self.parse_selector(pos + indent, piece.trim_matches(' '), &mut one)?;
            union.push(one);
            pos += piece.len() + 1;
        }
        path.push(Node::Union(union));
        Ok(())
    }

    /// Parses one key, index or slice. A key is a path of its own: `['a.b']` is `.a.b`.
    fn parse_selector(&self, pos: usize, text: &str, path: &mut Path) -> Result<(), Problem> {
        let key = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
        if let Some(key) = key.filter(|key| !key.contains('\'')) {
            let mut inner = self.sub_parser(pos + 1, pos + 1 + key.len());
            let mut parts = Path::new();
            inner.parse_dot(pos + 1, &mut parts)?;
            parts.append(&mut inner.parse_inside_action(pos + 1)?);
            path.append(&mut parts);
            return Ok(());
        }
        if text == "*" {
            path.push(Node::Slice { start: None, end: None, step: None });
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
            1 => Node::Index(number(0)?.unwrap_or(0)),
            _ => Node::Slice { start: number(0)?, end: number(1)?, step: number(2)? },
        });
        Ok(())
    }

    /// Parses what follows `[?(`.
    fn parse_filter(&mut self, start: usize) -> Result<Node, Problem> {
        let from = self.pos;
        let mut quote = None;
        loop {
            match (self.next(), quote) {
                (None | Some('\n'), _) => return Err(self.problem(start, "unterminated filter")),
                (Some('\\'), Some(_)) if self.peek() != Some('\n') => {
                    self.next();
                }
                (Some(c), Some(opened)) if c == opened => quote = None,
                (Some(c @ ('"' | '\'')), None) => quote = Some(c),
                (Some(')'), None) => break,
                _ => {}
            }
        }
        let to = self.pos - 1;
        if self.next() != Some(']') {
            return Err(self.problem(start, "unclosed array expect ]"));
        }
        let Some((sign, after)) = self.find_operator(from, to) else {
            return Ok(Node::Filter(self.sub_parser(from, to).parse_inside_action(from)?, Predicate::Exists));
        };
        let left = self.sub_parser(from, sign).parse_inside_action(from)?;
        let right = self.sub_parser(after, to).parse_inside_action(after)?;
        let operator = match self.slice(sign, after) {
            "==" => Operator::Equal,
            "!=" => Operator::NotEqual,
            "<" => Operator::Less,
            "<=" => Operator::LessEqual,
            ">" => Operator::Greater,
            ">=" => Operator::GreaterEqual,
            other => return Err(self.problem(sign, &format!("unrecognized filter operator {other}"))),
        };
        Ok(Node::Filter(left, Predicate::Compare(operator, right)))
    }

    /// The start and end of a filter's operator, if there is text on both sides of it.
    fn find_operator(&self, from: usize, to: usize) -> Option<(usize, usize)> {
        let is_sign = |c: char| matches!(c, '!' | '<' | '>' | '=');
        let text = self.slice(from, to);
        let sign = text.find(is_sign).filter(|sign| *sign > 0)?;
        let rest = text.get(sign..)?;
        let length = rest.find(|c| !is_sign(c)).unwrap_or(rest.len() - 1);
        (length > 0).then_some((from + sign, from + sign + length))
    }

    fn sub_parser(&self, from: usize, to: usize) -> Self {
        Self { text: self.text, pos: from, end: to, nested: true, keyword: None }
    }

    fn slice(&self, from: usize, to: usize) -> &'t str {
        self.text.get(from..to).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.slice(self.pos, self.end).chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.pos += c.len_utf8();
        Some(c)
    }

    fn consume(&mut self, expected: &str) -> bool {
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

    fn position(&self, pos: usize) -> usize {
        self.slice(0, pos).chars().count() + 1
    }

    fn problem(&self, pos: usize, message: &str) -> Problem {
        Problem { message: message.to_owned(), at: self.position(pos) }
    }
}

fn is_alphanumeric(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Whether `c` ends a field name unless it is escaped.
fn is_terminator(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}')
}

/// As Go's `%#U`: shows the character itself only if it is printable.
fn code_point(c: char) -> String {
    let number = u32::from(c);
    let is_printable = matches!(c, '\\' | '\'' | '"') || c.escape_debug().count() == 1;
    if is_printable { format!("U+{number:04X} '{c}'") } else { format!("U+{number:04X}") }
}

/// Resolves the escapes of a Go string, in quotes of either kind.
fn unquote(text: &str, quote: char) -> Option<String> {
    // Bytes, because one character can be written as several \x.
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

/// Parses exactly `count` more digits of a number that began with `first`.
fn digits(chars: &mut std::str::Chars<'_>, radix: u32, count: usize, first: u32) -> Option<u32> {
    (0..count)
        .try_fold(first, |number, _| number.checked_mul(radix)?.checked_add(chars.next()?.to_digit(radix)?))
}
