import CoreDataGraph
import Foundation

/// A position in the history of a container's stores: the number of a transaction for each store, by its identifier.
///
/// A token that is later in any store is greater. The token of a transaction names the store of the transaction alone.
public struct DefaultHistoryToken: HistoryToken, TranslatableToken {
    private let numbers: [String: Int64]

    init(_ token: NSPersistentHistoryToken) { numbers = token.numbers }

    /// The position of several stores; nil for none.
    init?(joining tokens: some Sequence<DefaultHistoryToken>) {
        numbers = tokens.reduce(into: [:]) { $0.merge($1.numbers) { max($0, $1) } }
        if numbers.isEmpty { return nil }
    }

    public var tokenValue: [String: Int64]? { numbers }

    public static func < (one: DefaultHistoryToken, other: DefaultHistoryToken) -> Bool {
        let stores = Set(one.numbers.keys).union(other.numbers.keys).sorted()
        for store in stores {
            let (number, otherNumber) = (one.numbers[store] ?? 0, other.numbers[store] ?? 0)
            if number != otherNumber { return number < otherNumber }
        }
        return false
    }

    /// The token in Core Data's form.
    var persistentToken: NSPersistentHistoryToken { NSPersistentHistoryToken(numbers) }
}
