import CoreDataLocalization
import Foundation

/// One number as people of several countries write it, in every style.
struct LocaleNumbers {
    /// The countries that are shown, by the names of their locales.
    static let countries = [("US", "en_US"), ("France", "fr_FR"), ("Germany", "de_DE")]

    /// The styles that are shown, with the currency of each country's own.
    static func styles(currency: String) -> [(name: String, style: NumberStyle)] {
        [
            ("none", .none), ("decimal", .decimal), ("currency", .currency(currency)), ("percent", .percent),
            ("scientific", .scientific), ("spelled out", .spelledOut),
        ]
    }

    let number: Decimal

    /// The number in a locale; the decimal style is that of the book's table.
    func text(_ locale: String, _ style: NumberStyle = .decimal) -> String {
        FormatStyleTable(locale: Locale(identifier: locale)).text(number, style)
    }

    /// A line for each country, and one for each of its styles.
    func lines() -> [String] {
        Self.countries.flatMap { country, locale in
            let currency = Locale(identifier: locale).currency?.identifier ?? ""
            return ["\(country): \(text(locale))"]
                + Self.styles(currency: currency).map { "    \($0.name): \(text(locale, $0.style))" }
        }
    }
}
