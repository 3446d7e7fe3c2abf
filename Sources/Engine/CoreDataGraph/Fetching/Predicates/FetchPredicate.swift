import CoreDataStore
import Synchronization

/// The predicate of a fetch as stores and unsaved objects are asked it, and what in it can never be.
///
/// Apple's SQLite store binds a constant as it is and leaves its comparison with a column to SQLite, which finds the
/// number 9 in a column of texts with '9', and the text '9' in one of numbers. So does every store here, in one place and
/// before any of them: `==`, `!=` and `IN` of a text attribute with a number, and every comparison of a number attribute
/// with the text of a number. Nothing else is converted: a text in a comparison with a date raises in Apple's.
package struct FetchPredicate {
    package let predicate: NSPredicate
    /// Comparisons of values of two kinds, which are never equal and in no order, a line each; values never appear in it.
    package let notes: [String]

    /// Reads the predicate of a fetch of an entity.
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
        // Nothing that is done with the constants throws.
        self.predicate = (try? constants.applied(to: predicate)) ?? predicate
        self.notes = notes.withLock { $0 }
    }
}

extension FetchPredicate {
    private typealias Operator = NSComparisonPredicate.Operator

    /// The constant as a value of the property's kind; nil where nothing is converted.
    private static func converted(_ value: Any, for property: ComparedProperty, _ operation: Operator) -> Any? {
        switch property.kind {
        case .text: [.equalTo, .notEqualTo, .in].contains(operation) ? ExactNumber(value)?.text : nil
        case .number: (value as? String).flatMap { number($0) }
        default: nil
        }
    }

    /// The number that a complete text represents, as SQLite reads one: digits, a point and an exponent.
    private static func number(_ text: String) -> Any? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard !text.isEmpty, text.utf8.count <= 400, text.utf8.contains(where: digits.contains),
            text.utf8.allSatisfy({ digits.contains($0) || "+-.eE".utf8.contains($0) })
        else { return nil }
        if let whole = Int(text) { return whole }
        guard let real = Double(text), real.isFinite else { return nil }
        // All digits of a decimal count, as in a literal.
        return ExactNumber.double(real).text == text ? real : Decimal(string: text) ?? real
    }

    private static func note(
        _ property: ComparedProperty, kind: ComparedKind, operation: Operator, in notes: borrowing Mutex<[String]>
    ) {
        guard let own = property.kind, own != kind else { return }
        // A text has a place in a text only, which the store says.
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
    /// A fetch's predicate as the stores evaluate it; what can never be is reported by a warning, each comparison once.
    func storePredicate(for predicate: NSPredicate, of entity: NSEntityDescription) -> NSPredicate {
        let fetch = FetchPredicate(predicate, of: entity)
        for note in fetch.notes { CoreDataLogging.reportOnce(.warning, "\(note)") }
        let excludesNull = persistentStores.contains(where: \.excludesNull)
        return excludesNull ? NullExclusion(entity).applied(to: fetch.predicate) : fetch.predicate
    }
}
