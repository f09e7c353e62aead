//! Enums whose variants each have one stable string: it is what JSON, YAML and text output show. One list makes the
//! enum, its strings and `ALL`, so that none of them can miss a variant.

/// Defines such an enum; `as` names the function that returns the string.
macro_rules! string_enum {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident as $string:ident {
            $($(#[$variant_attribute:meta])* $variant:ident = $text:literal,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_attribute])* $variant,)+
        }

        impl $name {
            /// Every variant, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The stable string.
            pub const fn $string(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.$string())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.$string())
            }
        }
    };
}

pub(super) use string_enum;
