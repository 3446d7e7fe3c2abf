import Foundation

/// A text of a table with its arguments inserted.
///
/// 1. Every text ends: at most `longest` characters, variables within variables at most `deepest` deep.
/// 2. A specifier without an argument stays as it is written.
/// 3. A specifier without a number takes the next argument; within a variable it takes the variable's own.
struct TextExpansion {
    /// The greatest length in characters; the rest is cut off, with an ellipsis in its place.
    static let longest = 65_536
    /// The greatest number of variables within each other.
    static let deepest = 16
    /// The greatest number of variables that are expanded.
    static let mostVariables = 1_000

    private let entry: TextEntry
    private let rules: PluralRules
    private let arguments: [TextArgument]
    private let device: String
    private let values: SpecifierText
    private var result = ""
    private var next = 0
    private var expanded = 0

    /// The text of an entry.
    static func text(
        _ entry: TextEntry, _ arguments: [TextArgument], rules: PluralRules, locale: Locale, device: String
    ) -> String {
        var expansion = TextExpansion(
            entry: entry, rules: rules, arguments: arguments, device: device, values: SpecifierText(locale: locale))
        let deciding = arguments.firstIndex { $0.operands(decimals: nil) != nil }
        expansion.append(entry.variants, own: nil, deciding: deciding, decimals: nil, depth: 0)
        guard expansion.isFull else { return expansion.result }
        return expansion.result.prefix(longest) + "…"
    }

    private init(
        entry: TextEntry, rules: PluralRules, arguments: [TextArgument], device: String, values: SpecifierText
    ) {
        (self.entry, self.rules, self.arguments) = (entry, rules, arguments)
        (self.device, self.values) = (device, values)
    }

    /// Bytes are counted, which is quick, and are never fewer than characters.
    private var isFull: Bool { result.utf8.count > Self.longest * 4 || expanded > Self.mostVariables }

    /// `own` is the argument of the variable whose text it is, `deciding` the one that chooses the plural form.
    private mutating func append(_ variants: TextVariants, own: Int?, deciding: Int?, decimals: Int?, depth: Int) {
        var variants = variants
        while true {
            switch variants {
            case .text(let text):
                let isPlain = arguments.isEmpty && entry.variables.isEmpty && own == nil
                if isPlain { result += text } else { append(FormatString(text), own: own, depth: depth) }
                return
            case .plural(let forms):
                guard let chosen = form(forms, deciding, decimals) else { return }
                variants = chosen
            case .device(let forms):
                guard let chosen = forms[device] ?? forms["other"] ?? forms.min(by: { $0.key < $1.key })?.value else {
                    return
                }
                variants = chosen
            case .width(let forms):
                guard let chosen = forms.max(by: { $0.key < $1.key })?.value else { return }
                variants = chosen
            }
        }
    }

    /// A form `zero` is for the number 0 in all languages, as on Apple's systems.
    private func form(
        _ forms: [PluralCategory: TextVariants], _ deciding: Int?, _ decimals: Int?
    ) -> TextVariants? {
        let other = forms[.other] ?? PluralCategory.allCases.reversed().lazy.compactMap { forms[$0] }.first
        guard let deciding, arguments.indices.contains(deciding),
            let number = arguments[deciding].operands(decimals: decimals)
        else { return other }
        if number.isZero, let zero = forms[.zero] { return zero }
        return forms[rules.category(of: number)] ?? other
    }

    private mutating func append(_ format: FormatString, own: Int?, depth: Int) {
        for part in format.parts {
            guard !isFull else { return }
            switch part {
            case .text(let text): result += text
            case .value(let specifier): append(specifier, own: own)
            case .ownValue: append(own.map { argument(at: $0, "%arg") } ?? "%arg")
            case .variable(let name, let position, let source):
                append(name, position, source, depth: depth)
            }
        }
    }

    private mutating func append(_ text: String) { result += text }

    private func argument(at place: Int, _ source: String) -> String {
        guard arguments.indices.contains(place) else { return source }
        let specifier = FormatString.Specifier(conversion: "@", source: source)
        return values.text(arguments[place], specifier, width: nil, precision: nil)
    }

    private mutating func append(_ specifier: FormatString.Specifier, own: Int?) {
        let width = amount(specifier.width)
        let precision = amount(specifier.precision)
        let place = specifier.position.map { $0 - 1 } ?? own ?? takeNext()
        guard arguments.indices.contains(place) else { return append(specifier.source) }
        append(values.text(arguments[place], specifier, width: width, precision: precision))
    }

    private mutating func append(_ name: String, _ position: Int?, _ source: String, depth: Int) {
        guard let variable = entry.variables[name], depth < Self.deepest else { return append(source) }
        expanded += 1
        let place = (position ?? variable.position).map { $0 - 1 } ?? takeNext()
        append(variable.variants, own: place, deciding: place, decimals: variable.decimals, depth: depth + 1)
    }

    private mutating func takeNext() -> Int {
        defer { next += 1 }
        return next
    }

    /// A width or precision; the next argument gives one that is written as `*`.
    private mutating func amount(_ amount: FormatString.Amount) -> Int? {
        switch amount {
        case .none: return nil
        case .number(let number): return number
        case .argument:
            let place = takeNext()
            guard arguments.indices.contains(place), case .integer(let value) = arguments[place], value >= 0 else {
                return nil
            }
            return Int(min(value, Int64(FormatString.largest)))
        }
    }
}
