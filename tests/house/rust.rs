//! What the checks want to know of a file's Rust: its lines, the paths in it, the types and modules it defines.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Attribute, Ident, Item, ItemMod, Meta, UseTree};

/// What the checks want to know of a file.
#[derive(Default)]
pub(crate) struct Code {
    /// Lines but for those of items under `#[cfg(test)]`.
    pub(crate) lines: usize,
    pub(crate) paths: Vec<Named>,
    /// Structs, enums, unions, traits and aliases outside of tests.
    pub(crate) types: Vec<String>,
    /// Modules in files of their own.
    pub(crate) modules: Vec<Module>,
    pub(crate) is_async: bool,
    /// How many modules are open at this place of the file: each takes one `super`.
    depth: usize,
    /// How many items under `#[cfg(test)]` are.
    tests: usize,
}

/// A path as it is written, and where.
pub(crate) struct Named {
    pub(crate) segments: Vec<String>,
    /// How many inline modules it is in.
    pub(crate) depth: usize,
    kind: PathKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PathKind {
    Use,
    Other,
}

pub(crate) struct Module {
    pub(crate) name: String,
    pub(crate) is_test: bool,
}

impl Named {
    /// Whether it begins with an outside crate. A single word is one in a `use` only.
    pub(crate) fn names_crate(&self, name: &str) -> bool {
        self.segments[0] == name && (self.segments.len() > 1 || self.kind == PathKind::Use)
    }
}

impl Code {
    /// Reads the text of a file.
    pub(crate) fn parse(text: &str) -> syn::Result<Self> {
        let file = syn::parse_file(text)?;
        let mut code = Self { lines: text.lines().count(), ..Self::default() };
        code.visit_file(&file);
        Ok(code)
    }

    fn add(&mut self, segments: Vec<String>, kind: PathKind) {
        self.paths.push(Named { segments, depth: self.depth, kind });
    }

    /// The paths of a `use`, one for each name: `a::{self, b::c}` is `a` and `a::b::c`.
    fn add_uses(&mut self, stem: &[String], tree: &UseTree) {
        let with = |name: String| [stem, &[name]].concat();
        match tree {
            UseTree::Path(path) => self.add_uses(&with(path.ident.to_string()), &path.tree),
            UseTree::Name(name) if name.ident == "self" => self.add(stem.to_vec(), PathKind::Use),
            UseTree::Rename(name) if name.ident == "self" => self.add(stem.to_vec(), PathKind::Use),
            UseTree::Name(name) => self.add(with(name.ident.to_string()), PathKind::Use),
            UseTree::Rename(name) => self.add(with(name.ident.to_string()), PathKind::Use),
            UseTree::Glob(_) => self.add(with("*".to_owned()), PathKind::Use),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_uses(stem, tree)),
        }
    }

    /// The paths in the tokens of a macro or an attribute, which have no syntax yet.
    fn add_tokens(&mut self, tokens: TokenStream, stem: &[String]) {
        let mut path = stem.to_vec();
        // The colons of a `::` so far.
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    self.is_async |= ident == "async";
                    if colons < 2 {
                        self.end_path(&mut path, stem);
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && colons < 2 => {
                    let begins = colons == 0 && punct.spacing() == Spacing::Joint;
                    colons = if begins || colons == 1 { colons + 1 } else { 0 };
                }
                TokenTree::Group(group) => {
                    // `a::{b, c}` is `a::b` and `a::c`.
                    let inner = if colons == 2 && group.delimiter() == Delimiter::Brace {
                        path.clone()
                    } else {
                        vec![]
                    };
                    self.end_path(&mut path, stem);
                    self.add_tokens(group.stream(), &inner);
                    colons = 0;
                }
                _ => {
                    self.end_path(&mut path, stem);
                    colons = 0;
                }
            }
        }
        self.end_path(&mut path, stem);
    }

    fn end_path(&mut self, path: &mut Vec<String>, stem: &[String]) {
        let ended = std::mem::replace(path, stem.to_vec());
        if ended.len() > stem.len() {
            self.add(ended, PathKind::Other);
        }
    }

    fn add_type(&mut self, name: &Ident) {
        if self.tests == 0 {
            self.types.push(name.to_string());
        }
    }
}

impl<'ast> Visit<'ast> for Code {
    fn visit_item(&mut self, item: &'ast Item) {
        let is_test = attributes(item).iter().any(is_cfg_test);
        if is_test && self.tests == 0 {
            let first = attributes(item).iter().map(|attribute| attribute.span().start().line).min();
            let start = first.unwrap_or_else(|| item.span().start().line);
            self.lines -= item.span().end().line + 1 - start;
        }
        self.tests += usize::from(is_test);
        visit::visit_item(self, item);
        self.tests -= usize::from(is_test);
    }

    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if module.content.is_none() {
            self.modules.push(Module { name: module.ident.to_string(), is_test: self.tests > 0 });
        }
        self.depth += 1;
        visit::visit_item_mod(self, module);
        self.depth -= 1;
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.add_uses(&[], &item.tree);
        visit::visit_item_use(self, item);
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        self.add(vec![item.ident.to_string()], PathKind::Use);
        visit::visit_item_extern_crate(self, item);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.add(path.segments.iter().map(|segment| segment.ident.to_string()).collect(), PathKind::Other);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.add_tokens(call.tokens.clone(), &[]);
        visit::visit_macro(self, call);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.add_tokens(list.tokens.clone(), &[]);
        }
        visit::visit_attribute(self, attribute);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.add_type(&item.ident);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.add_type(&item.ident);
        visit::visit_item_enum(self, item);
    }

    fn visit_item_union(&mut self, item: &'ast syn::ItemUnion) {
        self.add_type(&item.ident);
        visit::visit_item_union(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.add_type(&item.ident);
        visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.add_type(&item.ident);
        visit::visit_item_type(self, item);
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        self.is_async |= signature.asyncness.is_some();
        visit::visit_signature(self, signature);
    }

    fn visit_expr_async(&mut self, block: &'ast syn::ExprAsync) {
        self.is_async = true;
        visit::visit_expr_async(self, block);
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.is_async |= closure.asyncness.is_some();
        visit::visit_expr_closure(self, closure);
    }
}

fn is_cfg_test(attribute: &Attribute) -> bool {
    matches!(&attribute.meta, Meta::List(list) if list.path.is_ident("cfg") && list.tokens.to_string() == "test")
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
