import CoreDataStore
import Synchronization

/// The predicate of a fetch in the form in which stores and unsaved objects are compared, and notes on its impossible
/// parts.
///
/// Apple's SQLite store binds a constant without converting it and leaves the comparison with a column to SQLite, which
/// finds the number 9 in a text column with '9', and the text '9' in a number column. This type does the same for every
/// store: it converts numbers that `==`, `!=` and `IN` compare with a text attribute, and texts of numbers compared
/// with a number attribute. Nothing else is converted; Apple's framework raises an exception for a text compared with a
/// date.
package struct FetchPredicate {
    package let predicate: NSPredicate
    /// A line for each comparison of values of two kinds, which are never equal and not ordered. Contains no values.
    package let notes: [String]

    /// Converts the predicate of a fetch of an entity.
    package init(_ predicate: NSPredicate, of entity: NSEntityDescription) {
        let notes = Mutex<[String]>([])
        let constants = ComparedConstants(of: entity) { one, other, operation in
            guard let kind = other.kind else { return }
            Self.note(one, kind: kind, operation: operation, in: notes)
        } replacement: { value, property, operation in
            if let converted = Self.converted(value, for: property, operation) { return converted }
            if let kind = ComparedKind(value: value) {
                Self.note(property, kind: kind, operation: operation, in: notes)
            }
            return nil
        }
        // The replacement above never throws.
        self.predicate = (try? constants.applied(to: predicate)) ?? predicate
        self.notes = notes.withLock { $0 }
    }
}

extension FetchPredicate {
    private typealias Operator = NSComparisonPredicate.Operator

    /// The constant converted to the property's kind; nil if it must not be converted.
    private static func converted(_ value: Any, for property: ComparedProperty, _ operation: Operator) -> Any? {
        switch property.kind {
        case .text: [.equalTo, .notEqualTo, .in].contains(operation) ? ExactNumber(value)?.text : nil
        case .number: (value as? String).flatMap { number($0) }
        default: nil
        }
    }

    /// The number that a complete text represents in SQLite: digits, a point and an exponent.
    private static func number(_ text: String) -> Any? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard !text.isEmpty, text.utf8.count <= 400, text.utf8.contains(where: digits.contains),
            text.utf8.allSatisfy({ digits.contains($0) || "+-.eE".utf8.contains($0) })
        else { return nil }
        if let whole = Int(text) { return whole }
        guard let real = Double(text), real.isFinite else { return nil }
        // A double that would lose digits becomes a decimal, as for a literal in a predicate.
        return ExactNumber.double(real).text == text ? real : Decimal(string: text) ?? real
    }

    private static func note(
        _ property: ComparedProperty, kind: ComparedKind, operation: Operator, in notes: borrowing Mutex<[String]>
    ) {
        guard let own = property.kind, own != kind else { return }
        // Operators on parts of a text need a text on both sides; the store reports other values.
        guard operation.comparesWholeValues else { return }
        let line = "\(property.name) \(operation.name): \(own.rawValue) is never equal to \(kind.rawValue)"
        notes.withLock { notes in if !notes.contains(line) { notes.append(line) } }
    }
}

extension NSComparisonPredicate.Operator {
    fileprivate var comparesWholeValues: Bool {
        switch self {
        case .beginsWith, .endsWith, .like, .matches, .customSelector: false
        default: true
        }
    }
}

extension NSPersistentStoreCoordinator {
    /// A fetch's predicate as the stores evaluate it; logs a warning, once, for each comparison that can never be true.
    func storePredicate(for predicate: NSPredicate, of entity: NSEntityDescription) -> NSPredicate {
        let fetch = FetchPredicate(predicate, of: entity)
        for note in fetch.notes { CoreDataLogging.reportOnce(.warning, "\(note)") }
        let excludesNull = persistentStores.contains(where: \.excludesNull)
        return excludesNull ? NullExclusion(entity).applied(to: fetch.predicate) : fetch.predicate
    }
}
