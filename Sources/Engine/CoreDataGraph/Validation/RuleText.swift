import CoreDataStore

/// Texts of rules and values for error messages.
package enum RuleText {
    /// The greatest number of characters of a string in a text.
    private static let shownLength = 40

    static func text(_ rule: ValidationRule) -> String {
        switch rule.check {
        case .minimum(let limit): "at least \(limit)"
        case .maximum(let limit): "at most \(limit)"
        case .earliest(let date): "not before \(text(date))"
        case .latest(let date): "not after \(text(date))"
        case .minimumLength(let length): "at least \(characters(length))"
        case .maximumLength(let length): "at most \(characters(length))"
        case .pattern(let pattern): "a match of the pattern \(pattern)"
        case .predicate(let format): format
        }
    }

    package static func objects(_ count: Int) -> String { "\(count) object\(count == 1 ? "" : "s")" }

    package static func characters(_ count: Int) -> String { "\(count) character\(count == 1 ? "" : "s")" }

    /// Returns a short text of a value. Long strings are truncated; of data only the size, of objects the entity, and
    /// of other types only the type is given.
    package static func text(of value: Any?) -> String {
        switch value {
        case nil, is NSNull: "none"
        case let text as String: "'\(shortened(text))'"
        case let date as Date: text(date)
        case let data as Data: "\(data.count) bytes"
        case let number as NSNumber: "\(number)"
        case let url as URL: shortened(url.absoluteString)
        case let uuid as UUID: uuid.uuidString
        case let object as NSManagedObject: "an object of entity '\(object.entity.name ?? "")'"
        case let value?: "a value of type \(type(of: value))"
        }
    }

    private static func shortened(_ text: String) -> String {
        let start = text.prefix(shownLength)
        return start.endIndex == text.endIndex ? text : "\(start)…"
    }

    private static func text(_ date: Date) -> String {
        guard date.timeIntervalSinceReferenceDate.isFinite, abs(date.timeIntervalSinceReferenceDate) < 1e11 else {
            return "no date"
        }
        return CalendarSeconds.text(date)
    }
}
