import Foundation

/// The texts of a validation error in a language: description, reason and suggestion.
///
/// It knows Core Data's error codes but no managed object, so that commands, pages and programs can make texts of the errors that they
/// have: the code, the names of property and entity, the rule and the value.
///
/// ```swift
/// import CoreDataLocalization
///
/// func message(in choice: LanguageChoice) -> String {
///     let text = ValidationText(
///         code: 1_670, key: "name", entity: "Hero", rule: .minimumLength(3), value: .text("X"), choice: choice)
///     return text.description
/// }
/// ```
public struct ValidationText: Sendable, Equatable {
    /// What a rule asks for.
    public enum Rule: Sendable, Equatable {
        /// A number of at least this.
        case minimum(Decimal)
        /// A number of at most this.
        case maximum(Decimal)
        /// A date not before this.
        case earliest(Date)
        /// A date not after this.
        case latest(Date)
        /// A text of at least so many characters.
        case minimumLength(Int)
        /// A text of at most so many characters.
        case maximumLength(Int)
        /// At least so many objects of a relationship.
        case minimumCount(Int)
        /// At most so many objects of a relationship.
        case maximumCount(Int)
        /// A text that a regular expression matches.
        case pattern(String)
        /// A value of an attribute that must have one.
        case value
        /// An object of a relationship that must have one.
        case object
        /// A date that is one.
        case date
        /// A URI that is one.
        case uri
        /// A value that no other object has.
        case unique
        /// No objects of a relationship that prevents the deletion.
        case noneLeft
        /// A rule as it is to be shown.
        case other(String)
    }

    /// The value that breaks the rule.
    public enum Value: Sendable, Equatable {
        /// Nil.
        case none
        /// A text, which is shown cut.
        case text(String)
        /// A number.
        case number(Decimal)
        /// A date.
        case date(Date)
        /// So many objects.
        case objects(Int)
        /// So many bytes.
        case bytes(Int)
        /// A value as it is to be shown.
        case other(String)
    }

    /// What is wrong; the value is not in it, except the number of objects that prevent a deletion.
    public let description: String
    /// The rule and the value.
    public let reason: String
    /// What to do.
    public let suggestion: String

    /// The greatest number of characters of a value that is shown.
    private static let longest = 40

    /// The texts for an error.
    ///
    /// - Parameters:
    ///   - code: Core Data's code, such as 1570; an unknown one has the text of 1550.
    ///   - key: the property's name for users.
    ///   - entity: the entity's name for users.
    ///   - rule: what was asked for.
    ///   - value: what was found.
    ///   - choice: languages and locale.
    ///   - tables: tables with the keys of `OwnTexts.validationTable`; a program's own may replace some texts.
    ///   - timeZone: the zone of dates.
    public init(
        code: Int, key: String, entity: String, rule: Rule, value: Value = .none, choice: LanguageChoice,
        tables: StringTables = OwnTexts.tables, timeZone: TimeZone = .gmt
    ) {
        let source = Source(
            tables: tables, choice: choice, formats: FormatStyleTable(locale: choice.locale, timeZone: timeZone))
        let arguments: [TextArgument] = [
            .text(key), .text(entity), .text(source.text(rule)), .text(source.text(value)),
        ]
        let known = source.contains("\(code)") ? code : 1_550
        description = source.text("\(known)", arguments)
        reason = source.text("reason", arguments)
        let own = "suggestion.\(known)"
        suggestion = source.text(source.contains(own) ? own : "suggestion", arguments)
    }

    /// The tables with what they are asked by.
    private struct Source {
        let tables: StringTables
        let choice: LanguageChoice
        let formats: FormatStyleTable

        func contains(_ key: String) -> Bool {
            tables.contains(key, table: OwnTexts.validationTable, languages: choice.languages)
        }

        func text(_ key: String, _ arguments: [TextArgument] = []) -> String {
            tables.text(
                key, table: OwnTexts.validationTable, languages: choice.languages, arguments: arguments,
                locale: choice.locale)
        }

        func text(_ rule: Rule) -> String {
            switch rule {
            case .minimum(let limit): text("rule.minimum", [.text(formats.text(limit))])
            case .maximum(let limit): text("rule.maximum", [.text(formats.text(limit))])
            case .earliest(let date): text("rule.earliest", [.text(shown(date))])
            case .latest(let date): text("rule.latest", [.text(shown(date))])
            case .minimumLength(let count): text("rule.minimumLength", [TextArgument(count)])
            case .maximumLength(let count): text("rule.maximumLength", [TextArgument(count)])
            case .minimumCount(let count): text("rule.minimumCount", [TextArgument(count)])
            case .maximumCount(let count): text("rule.maximumCount", [TextArgument(count)])
            case .pattern(let pattern): text("rule.pattern", [.text(pattern)])
            case .value: text("rule.value")
            case .object: text("rule.object")
            case .date: text("rule.date")
            case .uri: text("rule.uri")
            case .unique: text("rule.unique")
            case .noneLeft: text("rule.noneLeft")
            case .other(let text): text
            }
        }

        func text(_ value: Value) -> String {
            switch value {
            case .none: return text("value.none")
            case .text(let text):
                let start = text.prefix(longest)
                return self.text("value.text", [.text(start.endIndex == text.endIndex ? text : start + "…")])
            case .number(let number): return formats.text(number)
            case .date(let date): return shown(date)
            case .objects(let count): return text("value.objects", [TextArgument(count)])
            case .bytes(let count): return text("value.bytes", [TextArgument(count)])
            case .other(let text): return text
            }
        }

        private func shown(_ date: Date) -> String { formats.text(date, date: .medium, time: .short) }
    }
}
