/// The forms of one text, of which the number, the device or the room decides.
public indirect enum TextVariants: Sendable, Equatable {
    /// One text for all.
    case text(String)
    /// A text for each plural form.
    case plural([PluralCategory: TextVariants])
    /// A text for each kind of device by Apple's names, such as `iphone` and `mac`; `other` is for all else.
    case device([String: TextVariants])
    /// A text for each width in characters.
    case width([Int: TextVariants])
}

/// A text of a table with the variables in it.
public struct TextEntry: Sendable, Equatable, ExpressibleByStringLiteral {
    /// A variable `%#@name@`.
    public struct Variable: Sendable, Equatable {
        /// The number of its argument, from 1; nil for the next one.
        public var position: Int?
        /// The format of its value without `%`, such as `lld` or `.1f`; it decides how many digits count for the plural form.
        public var format: String
        /// What is put in its place.
        public var variants: TextVariants

        /// A variable with its forms.
        public init(position: Int? = nil, format: String = "", variants: TextVariants) {
            (self.position, self.format, self.variants) = (position, format, variants)
        }

        /// The number of digits after the decimal sign that the format asks for.
        var decimals: Int? {
            guard case .value(let specifier)? = FormatString("%" + format).parts.first else { return nil }
            if case .number(let digits) = specifier.precision { return min(digits, 100) }
            return "fF".contains(specifier.conversion) ? 6 : nil
        }
    }

    /// The text.
    public var variants: TextVariants
    /// The variables of the text by name.
    public var variables: [String: Variable]

    /// A text with its variables.
    public init(_ variants: TextVariants, variables: [String: Variable] = [:]) {
        (self.variants, self.variables) = (variants, variables)
    }

    /// A text without forms.
    public init(stringLiteral value: String) { self.init(.text(value)) }

    /// A text whose form the first number decides, from texts by plural form.
    public static func plural(_ forms: [PluralCategory: String]) -> TextEntry {
        TextEntry(.plural(forms.mapValues(TextVariants.text)))
    }
}

extension TextVariants {
    /// All texts among the forms, in no order.
    var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .plural(let forms): forms.values.flatMap(\.texts)
        case .device(let forms): forms.values.flatMap(\.texts)
        case .width(let forms): forms.values.flatMap(\.texts)
        }
    }
}
